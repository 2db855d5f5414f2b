package dev.gadget.code.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.BusyPolicy;
import dev.gadget.model.Limits;
import dev.gadget.model.ProjectId;
import dev.gadget.model.ProviderId;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.ToolQueueMode;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A session")
class ChatSessionTest {
    private static final WorkspaceId WORKSPACE = WorkspaceId.random();

    private static ChatSession named(String name) {
        return new ChatSession(
                SessionId.random(),
                UserId.random(),
                ProjectId.random(),
                name,
                false,
                ProviderId.random(),
                "m",
                ReasoningEffort.OFF,
                null,
                Limits.STANDARD,
                ApprovalPolicy.AUTO,
                List.of(),
                BusyPolicy.QUEUE,
                ToolQueueMode.PARALLEL,
                false,
                false,
                false,
                null,
                null,
                null,
                null,
                Instant.EPOCH,
                Instant.EPOCH,
                0);
    }

    private static String nameAfter(String prompt) {
        return named(ChatSession.UNNAMED).begunIn(WORKSPACE, prompt).name();
    }

    @Test
    @DisplayName("takes of a title what can be seen, on one line, and 80 characters of it")
    void title() {
        assertThat(ChatSession.title(" Mend\u202e the\n\u0007till ")).contains("Mend the till");
        assertThat(ChatSession.title("\uD83D\uDE00".repeat(90))).contains("\uD83D\uDE00".repeat(80));
        assertThat(ChatSession.title("\u200b \n")).isEmpty();
    }

    @Test
    @DisplayName("is named after the first line of its first prompt, cut at a word")
    void name() {
        assertThat(nameAfter("\n  Fix the till.\nThen test it.")).isEqualTo("Fix the till.");
        assertThat(nameAfter("word ".repeat(30))).isEqualTo("word ".repeat(11) + "word…");
        assertThat(nameAfter("x".repeat(100))).isEqualTo("x".repeat(60) + "…");
        assertThat(nameAfter("x".repeat(59) + "\uD83D\uDE00" + "y")).isEqualTo("x".repeat(59) + "…");
    }

    @Test
    @DisplayName("keeps the name that a person gave it")
    void given() {
        ChatSession begun = named("Mine").begunIn(WORKSPACE, "Fix the till.");
        assertThat(begun.name()).isEqualTo("Mine");
        assertThat(begun.workspaceId()).isEqualTo(WORKSPACE);
    }

    @Test
    @DisplayName("gives its name to a branch, with a mark that does not grow, within what a name may have")
    void branchName() {
        assertThat(branch("Mend the till").name()).isEqualTo("Mend the till (branch)");
        assertThat(branch("Mend the till (branch)").name()).isEqualTo("Mend the till (branch)");
        assertThat(branch(ChatSession.UNNAMED).name()).isEqualTo(ChatSession.UNNAMED);
        assertThat(branch("x".repeat(290) + "\uD83D\uDE00".repeat(5)).name()).isEqualTo("x".repeat(290) + " (branch)");
        assertThat(branch("x".repeat(ChatSession.LONGEST_NAME)).name()).hasSize(ChatSession.LONGEST_NAME);
    }

    private static ChatSession branch(String name) {
        return named(name).branch(SessionId.random(), null, Instant.EPOCH);
    }
}
