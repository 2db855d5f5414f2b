package dev.gadget.model.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ToolAwaitsApprovalTest {
    private static WorkEntry read(String patterns) throws Exception {
        return new JsonMapper().readValue("""
                        {"type": "tool_awaits_approval", "seq": 1, "callId": "c1", "reason": "It runs.", "patterns": %s}""".formatted(patterns), WorkEntry.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "[null]",
                "[\"\"]",
                "[\" \"]",
                "[\"git diff \\u202e*\"]",
                "[\"git diff\\n*\"]",
                "[\"npm run l\\u0456nt\"]",
                "[\"a\", \"b\", \"c\", \"d\", \"e\", \"f\"]"
            })
    @DisplayName("A8: a drone's patterns that a person could not read as they are, or too many, are no message")
    void refused(String patterns) {
        assertThatThrownBy(() -> read(patterns))
                .isInstanceOf(ValueInstantiationException.class)
                .hasMessageContaining("pattern");
    }

    @Test
    @DisplayName("patterns have 200 characters at most, and may be absent")
    void bounds() throws Exception {
        String longest = "x".repeat(200);
        assertThat(((WorkEntry.ToolAwaitsApproval) read("[\"" + longest + "\"]")).patterns())
                .containsExactly(longest);
        assertThat(((WorkEntry.ToolAwaitsApproval) read("null")).patterns()).isNull();
        assertThatThrownBy(() -> read("[\"x" + longest + "\"]")).hasMessageContaining("201 characters");
    }
}
