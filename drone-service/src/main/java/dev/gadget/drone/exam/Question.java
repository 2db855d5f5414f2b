package dev.gadget.drone.exam;

import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.ReasoningEffort;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One thing that the model is asked in an exam. */
record Question(
        String prompt,
        List<ToolSpec> tools,
        ReasoningEffort effort,
        int maxOutputTokens,
        @Nullable Integer contextTokens,
        Duration within) {
    Question {
        tools = List.copyOf(tools);
    }

    /** To be answered in words. */
    static Question ofWords(String prompt, ReasoningEffort effort, int maxOutputTokens, Duration within) {
        return new Question(prompt, List.of(), effort, maxOutputTokens, null, within);
    }

    /** To be answered by calling one of these tools. */
    static Question ofCall(String prompt, List<ToolSpec> tools, Duration within) {
        return new Question(prompt, tools, ReasoningEffort.OFF, 1500, null, within);
    }
}
