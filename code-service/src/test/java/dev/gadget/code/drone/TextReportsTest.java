package dev.gadget.code.drone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.work.WorkEntry;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Reports of text, read the short way")
class TextReportsTest {
    private final TextReports reports = new TextReports();

    @Test
    @DisplayName("are the same as read the long way")
    void same() throws JsonProcessingException {
        var report = new DroneEvent.WorkReported(
                WorkOrderId.random(),
                2,
                7,
                List.of(
                        new WorkEntry.Thinking(1, null, "\"Hm\"\n\t🛒 \u0000"),
                        new WorkEntry.Response(4, 3, ""),
                        new WorkEntry.Response(Long.MAX_VALUE, null, "x".repeat(100_000))));
        String json = new ObjectMapper().writerFor(DroneEvent.class).writeValueAsString(report);
        assertThat(reports.read(json)).isEqualTo(report);
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
                "{\"type\":\"work_reported\",\"workOrderId\":\"w\",\"attempt\":1,\"fence\":1,\"fence\":2,\"entries\":[]}",
                "{\"type\":\"work_reported\",\"workOrderId\":\"w\",\"attempt\":1,\"fence\":1,\"entries\":[{\"type\":\"response\",\"seq\":1,\"seq\":2,\"content\":\"a\"}]}",
            })
    @DisplayName("leave everything else to the long way")
    void others(String json) {
        assertThat(reports.read(json)).isNull();
    }
}
