package dev.gadget.drone.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.tool.Toolbox;
import dev.gadget.model.ModelProfile;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
class AgentWiringTest {
    @Inject
    Toolbox tools;

    @Inject
    WorkOrderRunner runner;

    @Test
    @DisplayName("every tool is found, and the loop is the one that runs work orders")
    void found() {
        assertThat(tools.names())
                .containsExactly(
                        "apply_patch",
                        "ask_person",
                        "delete_file",
                        "edit_file",
                        "find_files",
                        "git_branch",
                        "git_commit",
                        "git_diff",
                        "git_log",
                        "git_status",
                        "list_files",
                        "move_file",
                        "read_file",
                        "read_process",
                        "run_command",
                        "search",
                        "start_process",
                        "stop_process",
                        "update_todos",
                        "web_fetch",
                        "write_file");
        assertThat(runner).isInstanceOf(AgentLoop.class);
    }

    @Test
    @DisplayName("a model with a small context is offered the tools that no task can do without, and told so")
    void smallContext() {
        Toolbox few = ToolChoice.of(tools, profile(8192));
        assertThat(few.names())
                .contains("edit_file", "list_files", "read_file", "run_command", "search", "write_file")
                .hasSizeLessThan(tools.names().size());
        assertThat(few.specs().stream().mapToLong(ContextWindow::tokens).sum()).isLessThanOrEqualTo(8192 / 4);
        assertThat(ToolChoice.of(tools, profile(1000)).names())
                .containsExactly("edit_file", "list_files", "read_file", "run_command", "search", "write_file");
        assertThat(ToolChoice.said(tools, few)).contains(String.join(", ", few.names()));
        assertThat(ToolChoice.of(tools, profile(128_000))).isSameAs(tools);
        assertThat(ToolChoice.of(tools, null)).isSameAs(tools);
        assertThat(ToolChoice.said(tools, tools)).isEmpty();
    }

    private static ModelProfile profile(int contextTokens) {
        return new ModelProfile(null, null, null, null, contextTokens, null, null, null, null, Instant.EPOCH);
    }
}
