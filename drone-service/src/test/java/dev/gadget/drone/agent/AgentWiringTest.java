package dev.gadget.drone.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.tool.Toolbox;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
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
}
