package dev.gadget.drone.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HeadAndTailTest {
    @Test
    @DisplayName("what fits is kept as it is, of more the beginning and the end, and how much is missing")
    void kept() {
        var all = new HeadAndTail(3);
        all.add("ab");
        all.add("cdef");
        var some = new HeadAndTail(3);
        some.add("abcd");
        some.add("efgh");

        assertThat(all.text()).isEqualTo("abcdef");
        assertThat(some.text()).isEqualTo("abc\n[… 2 characters are left out here …]\nfgh");
    }

    @Test
    @DisplayName("no character is cut in half: it could not be sent")
    void wholeCharacters() {
        for (String before : new String[] {"", "x"}) {
            for (int count = 1; count < 9; count++) {
                var kept = new HeadAndTail(3);
                kept.add(before + "😀".repeat(count));

                assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(kept.text()))
                        .as("%s and %d", before, count)
                        .isTrue();
            }
        }
    }
}
