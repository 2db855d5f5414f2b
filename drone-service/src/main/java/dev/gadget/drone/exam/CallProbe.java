package dev.gadget.drone.exam;

import dev.gadget.drone.provider.ChatMessage.RequestedCall;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.drone.tool.Arguments;
import dev.gadget.drone.tool.ParameterCheck;
import dev.gadget.drone.tool.Tool;
import dev.gadget.drone.tool.Toolbox;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ModelProfile.Score;
import dev.gadget.model.ModelProfile.ToolCalling;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Has the model call tools of the drone, which are not run, and looks at the calls. */
final class CallProbe {
    private static final Duration WITHIN = Duration.ofSeconds(45);
    private static final List<String> PROMPTS = List.of(
            "Read the file src/main/App.java. Call the tool read_file for it now.",
            "Find all places with the text say \"hello\" (with the quotation marks). Call the tool search for it now.",
            "Call the tool write_file now: path notes/todo.md, and as content these two lines:\n- buy \"milk\"\n- fix C:\\temp\\new",
            "Show what is in the folder docs. Call the tool list_files for it now.");

    private CallProbe() {}

    /** How the model calls tools; nothing when it could not be asked. */
    record Found(
            @Nullable ToolCalling toolCalling, @Nullable Score arguments, String text) {
        @Override
        public String toString() {
            return text;
        }

        boolean calls() {
            return toolCalling == ToolCalling.NATIVE || toolCalling == ToolCalling.TEXT;
        }
    }

    static Found run(ExamRoom room, Toolbox tools) throws ProviderException {
        int asked = 0;
        int natively = 0;
        int asText = 0;
        int wellFormed = 0;
        String trouble = "";
        for (String prompt : PROMPTS) {
            ExamAnswer answer = room.ask(Question.ofCall(prompt, tools.specs(), WITHIN));
            if (answer.failedWith(FailureCode.PROVIDER_REFUSED) && asked == 0) {
                return new Found(ToolCalling.NONE, null, "none: " + message(answer));
            }
            if (answer.failure().isPresent()) {
                trouble = message(answer);
                continue;
            }
            asked++;
            Optional<RequestedCall> call = answer.calls().stream().findFirst();
            asText += call.filter(CallProbe::isText).isPresent() ? 1 : 0;
            natively += call.filter(one -> !isText(one)).isPresent() ? 1 : 0;
            wellFormed += call.filter(one -> isWellFormed(one, tools)).isPresent() ? 1 : 0;
        }
        if (asked == 0) {
            return new Found(null, null, "not measured: " + trouble);
        }
        ToolCalling how = asText > 0 ? ToolCalling.TEXT : natively > 0 ? ToolCalling.NATIVE : ToolCalling.NONE;
        var score = new Score(wellFormed, asked);
        return new Found(how, score, words(how) + ", arguments well-formed " + score);
    }

    static String words(ToolCalling how) {
        return switch (how) {
            case NATIVE -> "native";
            case TEXT -> "as text";
            case NONE -> "none";
        };
    }

    private static String message(ExamAnswer answer) {
        return answer.failure().orElseThrow().message();
    }

    private static boolean isText(RequestedCall call) {
        return call.callId().isEmpty();
    }

    private static boolean isWellFormed(RequestedCall call, Toolbox tools) {
        try {
            Optional<Tool> tool = tools.find(call.name());
            return tool.isPresent()
                    && ParameterCheck.check(tool.get(), Arguments.read(call.arguments()))
                            instanceof ParameterCheck.Outcome.Fine;
        } catch (Arguments.MalformedException e) {
            return false;
        }
    }
}
