package dev.gadget.model.turn;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a person is asked about a call that waits.
 *
 * @param reason why it waits
 * @param preview what would come of it, as a unified diff
 * @param shown the hash of all that is shown, which a decision may give back
 * @param patterns the commands, as those of rules, that an approval for the session may cover beyond this very call; absent for none
 * @param decided what the person said to it already, of which the drone has not told yet
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ToolApproval(
        String reason,
        @Nullable String preview,
        @Nullable String shown,
        @Nullable List<String> patterns,
        @Nullable ApprovalDecision decided) {
    public ToolApproval {
        patterns = patterns == null ? null : List.copyOf(patterns);
    }

    /** One that nobody answered. */
    public ToolApproval(
            String reason, @Nullable String preview, @Nullable String shown, @Nullable List<String> patterns) {
        this(reason, preview, shown, patterns, null);
    }

    /** One that can cover this very call only. */
    public ToolApproval(String reason, @Nullable String preview, @Nullable String shown) {
        this(reason, preview, shown, null);
    }

    /** The same, answered. */
    public ToolApproval decided(ApprovalDecision decision) {
        return new ToolApproval(reason, preview, shown, patterns, decision);
    }
}
