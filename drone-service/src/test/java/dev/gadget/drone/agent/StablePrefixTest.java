package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.call;
import static dev.gadget.drone.agent.ScriptedModel.calls;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.drone.tool.ReadFileTool;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.work.PastTurn;
import dev.gadget.model.work.WorkOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("What endpoints keep in their caches")
class StablePrefixTest {
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "all that one turn of a session sent begins what the next one sends, whatever changed in the workspace")
    void prefix() throws Exception {
        Files.writeString(directory.resolve("a.txt"), "one");
        Bench bench = new Bench(
                        directory,
                        calls(call("c1", "read_file", "{\"path\":\"a.txt\"}")),
                        text("It says one."),
                        text("And again."))
                .tools(new ReadFileTool());
        AgentLoop loop = bench.loop();
        WorkOrder first = bench.order();
        loop.run(first, List.of(), bench.report, bench.approvals, bench.cancel);
        RoundRequest last = bench.model.asSent.getLast();
        ToolCall read = new ToolCall(
                "c1",
                "read_file",
                Map.of("path", "a.txt"),
                ToolCallState.DONE,
                null,
                bench.report.answer("c1"),
                AT,
                AT,
                null);

        Files.writeString(directory.resolve("b.txt"), "new");
        assertThat(new ProcessBuilder("git", "init", "-q", directory.toString())
                        .start()
                        .waitFor())
                .isZero();
        bench.prompt = "again";
        bench.history = List.of(new PastTurn(
                first.turnId(),
                first.prompt(),
                TurnStatus.FINISHED,
                List.of(new Block.Tool(0, AT, AT, null, read), new Block.Responding(1, AT, AT, null, "It says one."))));
        loop.run(bench.order(), List.of(), new RecordingReport(), bench.approvals, bench.cancel);

        RoundRequest next = bench.model.asSent.getLast();
        assertThat(last.messages()).hasSize(4);
        assertThat(next.messages()).startsWith(last.messages().toArray(ChatMessage[]::new));
        assertThat(next.tools()).isEqualTo(last.tools());
        assertThat(((ChatMessage.User) next.messages().get(1)).text())
                .contains("do it", "a.txt")
                .doesNotContain("b.txt");
        assertThat(((ChatMessage.User) next.messages().getLast()).text())
                .contains("again", "<workspace_now>", "b.txt", "Git: branch");
        assertThat(((ChatMessage.Instructions) next.messages().getFirst()).text())
                .doesNotContain("a.txt", "2026-01-02");
    }
}
