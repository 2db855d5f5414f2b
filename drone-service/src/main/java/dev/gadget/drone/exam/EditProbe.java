package dev.gadget.drone.exam;

import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ChatMessage.RequestedCall;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.drone.tool.Arguments;
import dev.gadget.drone.tool.EditFileTool;
import dev.gadget.drone.tool.ParameterCheck;
import dev.gadget.drone.tool.Tool;
import dev.gadget.drone.tool.ToolFailedException;
import dev.gadget.drone.tool.ToolInvocation;
import dev.gadget.model.ModelProfile.Score;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Has the model edit small files with the drone's own tool, in a folder of its own, and compares what the files are then. */
final class EditProbe {
    private static final Duration WITHIN = Duration.ofSeconds(45);

    private final Tool edit = new EditFileTool();
    private final ExamRoom room;

    EditProbe(ExamRoom room) {
        this.room = room;
    }

    /** How many edits went well; nothing when it could not be asked. */
    record Found(@Nullable Score edits, String text) {
        @Override
        public String toString() {
            return text;
        }
    }

    Found run() throws ProviderException {
        int asked = 0;
        int right = 0;
        String trouble = "";
        for (EditTask task : EditTask.ALL) {
            ExamAnswer answer = room.ask(Question.ofCall(task.prompt(), List.of(edit.spec()), WITHIN));
            if (answer.failure().isPresent()) {
                trouble = answer.failure().get().message();
                continue;
            }
            asked++;
            right += isRight(task, answer.calls()) ? 1 : 0;
        }
        if (asked == 0) {
            return new Found(null, "not measured: " + trouble);
        }
        var score = new Score(right, asked);
        return new Found(score, score + " right");
    }

    private boolean isRight(EditTask task, List<RequestedCall> calls) {
        try {
            Path folder = Files.createTempDirectory("gadget-exam");
            Path file = folder.resolve(task.file());
            try {
                Files.writeString(file, task.content());
                var workspace = new Workspace(folder);
                for (RequestedCall call : calls) {
                    apply(call, workspace);
                }
                return Files.readString(file).equals(task.result());
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a folder for temporary files is needed for the exam", e);
        }
    }

    /** What the tool would tell the model of a bad call does not matter here: the file tells it. */
    private void apply(RequestedCall call, Workspace workspace) throws IOException {
        try {
            if (call.name().equals(edit.spec().name())
                    && ParameterCheck.check(edit, Arguments.read(call.arguments()))
                            instanceof ParameterCheck.Outcome.Fine fine) {
                edit.run(new ToolInvocation("exam", fine.parameters(), workspace, _ -> {}, new CancelSignal()));
            }
        } catch (Arguments.MalformedException | ToolFailedException | PathRefusedException bad) {
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
