package dev.gadget.drone.agent;

import static dev.gadget.drone.agent.ScriptedModel.call;
import static dev.gadget.drone.agent.ScriptedModel.calls;
import static dev.gadget.drone.agent.ScriptedModel.events;
import static dev.gadget.drone.agent.ScriptedModel.failed;
import static dev.gadget.drone.agent.ScriptedModel.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.provider.RoundEvent;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.model.FailureCode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtLogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The log of a turn")
class TurnLogTest {
    @TempDir
    Path directory;

    private final Logger logger = Logger.getLogger(TurnLog.class.getName());
    private final Lines lines = new Lines();
    private final Level before = logger.getLevel();

    private static final class Lines extends Handler {
        private final List<String> info = new CopyOnWriteArrayList<>();
        private final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord line) {
            String text = line instanceof ExtLogRecord known ? known.getFormattedMessage() : line.getMessage();
            all.add(text);
            if (line.getLevel().intValue() >= Level.INFO.intValue()) {
                info.add(text);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @BeforeEach
    void listen() {
        logger.addHandler(lines);
        logger.setLevel(Level.FINE);
    }

    @AfterEach
    void stop() {
        logger.removeHandler(lines);
        logger.setLevel(before);
    }

    private Bench turn() {
        return new Bench(
                        directory,
                        events(failed(FailureCode.RATE_LIMITED)),
                        (request, sink, cancel) -> {
                            sink.accept(new RoundEvent.ThinkingDelta("a secret"));
                            sink.accept(new RoundEvent.ThinkingDelta(" thought"));
                            sink.accept(new RoundEvent.TextDelta("a secret word"));
                            calls(call("c1\nsecret=1", "look", "{\"path\":\"secret.txt\"}"))
                                    .play(request, sink, cancel);
                        },
                        text("a secret end"))
                .tools(FakeTool.reads("look", call -> ToolResult.done("a secret result")))
                .run();
    }

    @Test
    @DisplayName("has a line for its start, each retry, round and tool call, and its end, by its id")
    void life() {
        Bench bench = turn();

        assertThat(bench.report.complete().status().name()).isEqualTo("FINISHED");
        assertThat(lines.info)
                .extracting(line -> line.replaceFirst(" turnId=.*", ""))
                .containsExactly(
                        "turn starts",
                        "round ended",
                        "model is asked again",
                        "round ended",
                        "tool call ended",
                        "round ended",
                        "turn ends");
        assertThat(lines.info)
                .extracting(line -> line.replaceFirst(".* turnId=([^ ]+).*", "$1"))
                .allSatisfy(id ->
                        assertThat(id).isEqualTo(lines.info.getFirst().replaceFirst(".* turnId=([^ ]+).*", "$1")));
        assertThat(lines.info.get(1)).contains(" round=1 ", " reason=rate_limited firstMs=none ", " pieces=0 calls=0 ");
        assertThat(lines.info.get(2)).contains(" attempt=1 code=rate_limited waitMs=");
        assertThat(lines.info.get(3))
                .contains(" round=1 ", " messages=2 ", " reason=tool_calls ", " pieces=4 calls=1 ")
                .containsPattern(" firstMs=\\d+ ms=\\d+ ");
        assertThat(lines.info.get(4)).contains(" tool=look state=done ").containsPattern(" ms=\\d+$");
        assertThat(lines.info.get(6)).contains(" status=finished code=none ").containsPattern(" ms=\\d+ ");
    }

    @Test
    @DisplayName("S0-53, S0-55: at DEBUG it has every change of the mode, with the pieces that came before it")
    void modes() {
        turn();

        assertThat(lines.all)
                .filteredOn(line -> line.startsWith("mode "))
                .extracting(line -> line.replaceFirst("turnId=[^ ]+ ", ""))
                .containsExactly(
                        "mode currentMode=thinking before=none pieces=0",
                        "mode currentMode=responding before=thinking pieces=2",
                        "mode currentMode=tool before=responding pieces=1",
                        "mode currentMode=responding before=tool pieces=1",
                        "mode currentMode=none before=responding pieces=1");
        assertThat(lines.info).noneMatch(line -> line.startsWith("mode "));
    }

    @Test
    @DisplayName("says nothing of what was said, asked for or answered, and what others made up keeps to its line")
    void secrets() {
        turn();

        assertThat(lines.all)
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).doesNotContain("a secret", "secret.txt", "\n", " secret=1"));
    }
}
