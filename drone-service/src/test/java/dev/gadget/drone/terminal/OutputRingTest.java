package dev.gadget.drone.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OutputRingTest {
    @Test
    @DisplayName("what is asked for from an offset on is what was printed from there on")
    void offsets() {
        OutputRing ring = new OutputRing();
        ring.append("hello ");
        ring.append("world");

        assertThat(ring.since(6, 100)).isEqualTo(new OutputRing.Part(6, "world"));
        assertThat(ring.since(0, 5)).isEqualTo(new OutputRing.Part(0, "hello"));
        assertThat(ring.from(6)).isEqualTo(6);
        assertThat(ring.from(1000)).as("more than there is: another terminal's").isZero();
    }

    @Test
    @DisplayName("of more than it holds the last is kept, and a late reader begins with a whole line")
    void overflows() {
        OutputRing ring = new OutputRing();
        for (int line = 0; line < 50_000; line++) {
            ring.append("line " + line + "\r\n");
        }

        long from = ring.from(0);
        assertThat(ring.end() - ring.start()).isEqualTo(OutputRing.CAPACITY);
        assertThat(from).isGreaterThanOrEqualTo(ring.start());
        assertThat(ring.since(from, 100).text()).matches("(?s)line \\d+\r\nline .*");
        assertThat(ring.since(ring.end() - 12, 100).text()).isEqualTo("line 49999\r\n");
    }

    @Test
    @DisplayName("no character is cut in two, neither in parts nor in bytes")
    void characters() {
        OutputRing ring = new OutputRing();
        ring.append("a😀b");
        assertThat(ring.since(0, 2).text()).isEqualTo("a");
        assertThat(ring.since(1, 2).text()).isEqualTo("😀");
        assertThat(ring.from(2)).as("inside of a character").isEqualTo(1);

        Utf8Stream stream = new Utf8Stream();
        byte[] bytes = "ä😀é".getBytes(StandardCharsets.UTF_8);
        StringBuilder text = new StringBuilder();
        for (byte one : bytes) {
            text.append(stream.take(new byte[] {one}, 1));
        }
        assertThat(text).hasToString("ä😀é");
        assertThat(stream.take(new byte[] {(byte) 0xff, 'x'}, 2)).isEqualTo("\ufffdx");
    }
}
