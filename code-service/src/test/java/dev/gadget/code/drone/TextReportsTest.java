package dev.gadget.code.drone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.ThreadMXBean;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.work.WorkEntry;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Reports of text, read the short way")
class TextReportsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    @Test
    @DisplayName("are the same as read the long way")
    void same() throws JsonProcessingException {
        var report = new DroneEvent.WorkReported(
                WorkOrderId.random(),
                2,
                7,
                List.of(
                        new WorkEntry.Thinking(1, null, "\"Hm\"\n\t\r\b\f\\/ 🛒 é \u0000"),
                        new WorkEntry.Response(4, 3, ""),
                        new WorkEntry.Response(5, null, "of a subagent", "call_1"),
                        new WorkEntry.Thinking(7, 2, "of another", "call_2"),
                        new WorkEntry.Response(999_999_999_999_999_999L, null, "x".repeat(100_000))));
        String json = MAPPER.writerFor(DroneEvent.class).writeValueAsString(report);
        assertThat(new TextReports().read(json)).isEqualTo(report);
    }

    @Test
    @DisplayName("are, with any one character changed, the same as read the long way or left to it")
    void oneCharacterChanged() {
        String json = """
                {"type":"work_reported","fence":7,"entries":[{"type":"thinking","content":"a\\u00e9\\n","seq":10},\
                {"seq":12,"type":"response","count":2,"content":"","parent":"c"}],"workOrderId":"w-1","attempt":20}""";
        assertThat(new TextReports().read(json)).isNotNull().isEqualTo(theLongWay(json));
        for (int at = 0; at < json.length(); at++) {
            for (String other :
                    List.of("", "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "-", "e", " ", "\n", "\u0000", "é")) {
                String changed = json.substring(0, at) + other + json.substring(at + 1);
                DroneEvent report = new TextReports().read(changed);
                if (report != null) {
                    assertThat(report).as(changed).isEqualTo(theLongWay(changed));
                }
            }
        }
    }

    @Test
    @DisplayName("A26: a text that would stand for more entries than it can have pieces is no message")
    void madeUpCounts() {
        String json = """
                {"type":"work_reported","workOrderId":"w","attempt":1,"fence":1,"entries":[\
                {"type":"response","seq":200000,"count":COUNT,"content":"abc"}]}""";
        assertThat(new TextReports().read(json.replace("COUNT", "100003"))).isNotNull();
        for (String count : List.of("0", "100004", "2147483647")) {
            String madeUp = json.replace("COUNT", count);
            assertThat(new TextReports().read(madeUp)).isNull();
            assertThatThrownBy(() -> MAPPER.readerFor(DroneEvent.class).readValue(madeUp))
                    .hasMessageContaining("a text of 3 characters comes in 1 to 100003 pieces");
        }
    }

    @Test
    @DisplayName(
            "A26: of many short texts with escapes cost memory by their own length, not each by that of the message")
    void manyEscapes() throws JsonProcessingException {
        List<WorkEntry> entries = IntStream.rangeClosed(1, 15_000)
                .mapToObj(seq -> (WorkEntry) new WorkEntry.Response(seq, null, "\n"))
                .toList();
        var report = new DroneEvent.WorkReported(WorkOrderId.random(), 1, 1, entries);
        String json = MAPPER.writerFor(DroneEvent.class).writeValueAsString(report);
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        long before = threads.getCurrentThreadAllocatedBytes();
        DroneEvent read = new TextReports().read(json);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(read).isEqualTo(report);
        assertThat(allocated).isLessThan(100L * json.length());
    }

    private static @Nullable DroneEvent theLongWay(String json) {
        try {
            return MAPPER.readerFor(DroneEvent.class).readValue(json);
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"type\":\"heartbeat\"}",
                "{\"type\":\"work_reported\"}",
                "{\"type\":\"work_reported\",\"workOrderId\":\"w\",\"attempt\":1,\"fence\":1,\"entries\":[]} {}",
                "{\"type\":\"work_reported\",\"workOrderId\":\"w\",\"attempt\":1,\"fence\":1,\"entries\":[",
                "{\"type\":\"work_reported\",\"workOrderId\":\"../w\",\"attempt\":1,\"fence\":1,\"entries\":[]}",
                "{\"type\":\"work_reported\",\"workOrderId\":\"w\",\"attempt\":\"1\",\"fence\":1,\"entries\":[]}",
                "{\"type\":\"work_reported\",\"workOrderId\":\"w\",\"attempt\":1,\"fence\":1,\"entries\":[],\"x\":1}",
                "{\"type\":\"work_reported\",\"workOrderId\":\"w\",\"attempt\":1,\"fence\":1,\"entries\":[{\"type\":\"round_started\",\"seq\":1,\"round\":1}]}",
                "{\"type\":\"work_reported\",\"workOrderId\":\"w\",\"attempt\":1,\"fence\":1,\"entries\":[{\"type\":\"response\",\"seq\":1}]}",
                "{\"type\":\"work_reported\",\"workOrderId\":\"w\",\"attempt\":1,\"fence\":1,\"entries\":[{\"type\":\"response\",\"seq\":1.5,\"content\":\"a\"}]}",
                "{\"type\":\"work_reported\",\"workOrderId\":\"w\",\"attempt\":1,\"fence\":1,\"entries\":[{\"type\":\"response\",\"seq\":1,\"count\":null,\"content\":\"a\"}]}",
                "{\"type\":\"work_reported\",\"workOrderId\":\"w\",\"attempt\":1,\"fence\":1,\"entries\":[null]}",
                "{\"type\":\"work_reported\",\"workOrderId\":,\"workOrderId\":\"w\",\"attempt\":1,\"fence\":1,\"entries\":[{\"type\":\"response\",\"seq\":1,\"content\":\"a\"}]}",
                "{\"type\":\"work_reported\",\"workOrderId\":\"w\",\"attempt\":01,\"attempt\":1,\"fence\":1,\"entries\":[{\"type\":\"response\",\"seq\":1,\"content\":\"a\"}]}",
                "{\"type\":\"work_reported\",\"workOrderId\":\"w\",\"attempt\":1,\"fence\":1,\"fence\":2,\"entries\":[]}",
                "{\"type\":\"work_reported\",\"workOrderId\":\"w\",\"attempt\":1,\"fence\":1,\"entries\":[{\"type\":\"response\",\"seq\":1,\"seq\":2,\"content\":\"a\"}]}",
            })
    @DisplayName("leave everything else to the long way")
    void others(String json) {
        assertThat(new TextReports().read(json)).isNull();
    }
}
