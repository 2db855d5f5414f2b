package dev.gadget.drone.cli;

import dev.gadget.model.ModelProfile;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A model's profile for people: one line a fact. */
final class ProfileTable {
    private static final String UNKNOWN = "not measured";

    private ProfileTable() {}

    static String of(ModelProfile profile) {
        StringBuilder table = new StringBuilder();
        row(table, "streaming", yes(profile.streaming()));
        row(table, "tool calls", calling(profile));
        row(table, "well-formed arguments", shown(profile.arguments()));
        row(table, "thinking told apart", yes(profile.thinking()));
        row(table, "context", context(profile));
        row(table, "context it says it has", tokens(profile.reportedContextTokens()));
        row(table, "right edits", shown(profile.edits()));
        row(table, "first token", profile.firstTokenMillis() == null ? UNKNOWN : profile.firstTokenMillis() + " ms");
        row(
                table,
                "speed",
                profile.tokensPerSecond() == null
                        ? UNKNOWN
                        : String.format(Locale.ROOT, "%.1f tokens/s", profile.tokensPerSecond()));
        return table.toString();
    }

    private static void row(StringBuilder table, String name, String value) {
        table.append(String.format(Locale.ROOT, "%-24s%s%n", name, value));
    }

    private static String context(ModelProfile profile) {
        return profile.contextAtLeast() == null
                ? tokens(profile.contextTokens())
                : "at least " + tokens(profile.contextAtLeast());
    }

    private static String calling(ModelProfile profile) {
        return switch (profile.toolCalling()) {
            case NATIVE -> "native";
            case TEXT -> "as text, which the drone reads";
            case NONE -> "none: the agent cannot work with this model";
            case null -> UNKNOWN;
        };
    }

    private static String shown(@Nullable Object value) {
        return value == null ? UNKNOWN : value.toString();
    }

    private static String yes(@Nullable Boolean value) {
        return value == null ? UNKNOWN : value ? "yes" : "no";
    }

    private static String tokens(@Nullable Integer tokens) {
        return tokens == null ? "not known" : tokens + " tokens";
    }
}
