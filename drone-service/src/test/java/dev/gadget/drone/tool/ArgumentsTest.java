package dev.gadget.drone.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {
    @Test
    @DisplayName("S4-16: arguments as Python writes them are read; what is quoted stays as it is")
    void python() throws Exception {
        assertThat(Arguments.read("{'path': 'a.txt', 'all': True, 'from': None,}"))
                .isEqualTo(Map.of("path", "a.txt", "all", true));
        assertThat(Arguments.read("{'text': 'it\\'s True, \"None\"', \"False\": False}"))
                .isEqualTo(Map.of("text", "it's True, \"None\"", "False", false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{path: 'a'}",
                "{'path': a}",
                "{'path': 'a' 'b'}",
                "{'path': '''a'''}",
                "{'path': 'a'",
                "{'path': Trueish}",
                "('a', 'b')",
                "{'a': 1} {'b': 2}"
            })
    @DisplayName("S4-16: no more than that is guessed")
    void malformed(String text) {
        assertThatThrownBy(() -> Arguments.read(text)).isInstanceOf(Arguments.MalformedException.class);
    }
}
