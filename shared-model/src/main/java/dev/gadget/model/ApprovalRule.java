package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * What is done with tool calls of one kind, whatever the policy of the session says of them. Of the rules that fit a call the
 * strictest counts.
 *
 * @param action what is done
 * @param tool the name of the tool, {@code *} and absent for any
 * @param path a glob that the path of every file which the call changes has to match, for {@code allow}; of any of them, for the others
 * @param command words that each command of the line has to match, for {@code allow}; any of them, for the others. A {@code *} is
 *     one word, and as the last word any number of them
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ApprovalRule(
        Action action,
        @Nullable String tool,
        @Nullable String path,
        @Nullable String command) {
    private static final int LONGEST = 500;

    /** What is done with a call. */
    public enum Action {
        /** It runs without a question. */
        @JsonProperty("allow")
        ALLOW,
        /** A person is asked. */
        @JsonProperty("ask")
        ASK,
        /** It is refused. */
        @JsonProperty("deny")
        DENY
    }

    public ApprovalRule {
        requireShort("tool", tool);
        requireShort("path", path);
        requireShort("command", command);
        if (action == Action.ALLOW && tool == null && path == null && command == null) {
            throw new IllegalArgumentException(
                    "a rule that allows has to name a tool, a path or a command; use the policy 'auto' to allow all");
        }
    }

    /** That a command runs without a question, by whatever tool. */
    public static ApprovalRule allowing(String command) {
        return new ApprovalRule(Action.ALLOW, null, null, command);
    }

    private static void requireShort(String name, @Nullable String value) {
        if (value != null && (value.isBlank() || value.length() > LONGEST)) {
            throw new IllegalArgumentException(
                    name + " of a rule has 1 to " + LONGEST + " characters, but this one has " + value.length());
        }
    }
}
