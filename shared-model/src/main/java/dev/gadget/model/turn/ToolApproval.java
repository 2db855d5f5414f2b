package dev.gadget.model.turn;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What a person is asked about a call that waits.
 *
 * @param reason why it waits
 * @param preview what would come of it, as a unified diff
 * @param shown the hash of all that is shown, which a decision may give back
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ToolApproval(
        String reason, @Nullable String preview, @Nullable String shown) {}
