package dev.gadget.drone.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlainTextTest {
    private static Stream<Arguments> printed() {
        return Stream.of(
                Arguments.of("a\u001b[31mred\u001b[0m\n\u009b1mb", "ared\nb"),
                Arguments.of("10%\r20%\rdone\r\n", "10%\n20%\ndone\n"),
                // What belongs to a title, ended in each of the ways there are, and by each other sequence.
                Arguments.of("a\u001b]0;title\u0007b", "ab"),
                Arguments.of("a\u001b]0;title\u001b\\b", "ab"),
                Arguments.of("a\u001b]0;title\u001b[31mb", "ab"),
                Arguments.of("a\u001bP\u001b\u001b]0;x\u0007b", "ab"),
                // What nothing ends: the rest of the output is shown all the same.
                Arguments.of("a\u001bXb\nmake: ok\n", "a\nmake: ok\n"),
                Arguments.of("a\u001b]b\r\nc", "a\nc"),
                Arguments.of("a\u001b_b\u0018c", "ac"),
                Arguments.of("a\u001b^b\u001ac", "ac"),
                Arguments.of("a\u001b\nb", "a\nb"),
                Arguments.of("a\u001b[1;\nb", "a\nb"),
                Arguments.of("a\u001bP" + "h".repeat(4095) + "shown", "ashown"),
                // A sequence that is cut off by the next one.
                Arguments.of("\u001b[\u001b[31m", ""),
                Arguments.of("\u001b\u001b[31m", ""),
                Arguments.of("a\u001b(\u001b[31mb", "ab"));
    }

    @ParameterizedTest
    @MethodSource("printed")
    @DisplayName(
            "what steers a terminal is taken out wherever the output is cut, and hides nothing of the lines after it")
    void plain(String printed, String shown) {
        for (int cut = 0; cut <= printed.length(); cut++) {
            PlainText text = new PlainText();
            String plain = text.plain(printed.substring(0, cut)) + text.plain(printed.substring(cut));
            assertThat(plain).as("cut at %d", cut).isEqualTo(shown);
        }
    }
}
