package dev.gadget.code.session;

import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.ApprovalRule;
import dev.gadget.model.BusyPolicy;
import dev.gadget.model.Limits;
import dev.gadget.model.ProjectId;
import dev.gadget.model.ProviderId;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.ToolQueueMode;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One session of a person, as it is stored.
 *
 * @param namedByPerson whether a person chose the name, which then only a person changes
 * @param workspaceId where its turns run; set by the first turn when the person did not choose
 * @param worktree whether its turns work on a branch and in a working tree of their own
 * @param archived whether the person has put it away; nothing else changes by that
 * @param runningTurnId the turn that holds the session's lock, or null
 * @param lastTurn how the last turn ended, or null before the first did
 * @param titleUsage what its model used to name it, which no turn counts, or null when nobody counted that
 * @param branchKey by what a repeated request finds this branch, or null when nothing was said by which it could
 */
public record ChatSession(
        SessionId id,
        UserId ownerId,
        ProjectId projectId,
        String name,
        boolean namedByPerson,
        ProviderId providerId,
        String model,
        ReasoningEffort reasoningEffort,
        @Nullable WorkspaceId workspaceId,
        Limits limits,
        ApprovalPolicy approvalPolicy,
        List<ApprovalRule> rules,
        BusyPolicy whenBusy,
        ToolQueueMode toolQueue,
        boolean worktree,
        boolean pinned,
        boolean archived,
        @Nullable TurnId runningTurnId,
        @Nullable LastTurn lastTurn,
        @Nullable Usage titleUsage,
        @Nullable String branchKey,
        Instant createdAt,
        Instant updatedAt,
        long version) {
    public ChatSession {
        rules = List.copyOf(rules);
    }

    /** How and when the session's last turn ended. */
    public record LastTurn(TurnStatus status, Instant endedAt) {}

    /** The name of a session that nobody has named and nothing was said in. */
    public static final String UNNAMED = "New session";

    static final int LONGEST_NAME = 300;
    private static final String BRANCH = " (branch)";
    private static final int TITLE_CHARS = 80;
    private static final int NAME_OF_PROMPT_CHARS = 60;

    /** The same, bound to this workspace, and named after the first prompt when nobody has named it. */
    public ChatSession begunIn(WorkspaceId workspace, String prompt) {
        return with(name.equals(UNNAMED) ? nameOf(prompt) : name, workspace, rules, updatedAt);
    }

    /** Whether it began a turn of that time itself: what a branch has from before it began was used by the session that it came from. */
    public boolean began(Instant turn) {
        return !turn.isBefore(createdAt);
    }

    /** The same with rules that allow these commands, of which it may have some already. */
    ChatSession allowing(List<String> commands, Instant now) {
        List<ApprovalRule> all = Stream.concat(rules.stream(), commands.stream().map(ApprovalRule::allowing))
                .distinct()
                .toList();
        return with(name, workspaceId, all, now);
    }

    private ChatSession with(
            String newName, @Nullable WorkspaceId newWorkspace, List<ApprovalRule> newRules, Instant changedAt) {
        return new ChatSession(
                id,
                ownerId,
                projectId,
                newName,
                namedByPerson,
                providerId,
                model,
                reasoningEffort,
                newWorkspace,
                limits,
                approvalPolicy,
                newRules,
                whenBusy,
                toolQueue,
                worktree,
                pinned,
                archived,
                runningTurnId,
                lastTurn,
                titleUsage,
                branchKey,
                createdAt,
                changedAt,
                version);
    }

    /** A new session with this one's place and settings, in which nothing has run yet. */
    public ChatSession branch(SessionId branchId, @Nullable String key, Instant now) {
        return new ChatSession(
                branchId,
                ownerId,
                projectId,
                nameOfBranch(),
                namedByPerson,
                providerId,
                model,
                reasoningEffort,
                workspaceId,
                limits,
                approvalPolicy,
                rules,
                whenBusy,
                toolQueue,
                worktree,
                false,
                false,
                null,
                null,
                null,
                key,
                now,
                now,
                0);
    }

    private String nameOfBranch() {
        if (name.equals(UNNAMED) || name.endsWith(BRANCH)) {
            return name;
        }
        return cut(name, LONGEST_NAME - BRANCH.length()) + BRANCH;
    }

    /** At most so many characters of it, none of them half. */
    private static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end).stripTrailing();
    }

    /** What of a model's words can be a name: one line without signs that are not seen, of a bounded length; empty when nothing is left. */
    public static Optional<String> title(String said) {
        String line = said.replaceAll("[\\p{C}\\p{Z}]+", " ").strip();
        int end = line.offsetByCodePoints(0, Math.min(TITLE_CHARS, line.codePointCount(0, line.length())));
        return line.isEmpty() ? Optional.empty() : Optional.of(line.substring(0, end));
    }

    /** Its first line that says something, cut at a word. */
    public static String nameOf(String prompt) {
        String line = prompt.strip().lines().findFirst().orElse(UNNAMED).strip();
        if (line.length() <= NAME_OF_PROMPT_CHARS) {
            return line;
        }
        int space = line.lastIndexOf(' ', NAME_OF_PROMPT_CHARS);
        return cut(line, space > NAME_OF_PROMPT_CHARS / 2 ? space : NAME_OF_PROMPT_CHARS) + "…";
    }
}
