package dev.gadget.drone.agent;

import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.drone.tool.Toolbox;
import dev.gadget.model.ModelProfile;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which tools a model is offered: all, or those that no task can do without where the words about all would fill its context. */
final class ToolChoice {
    /** What of a context the tools may take. */
    private static final int PARTS = 4;

    static final Set<String> CORE =
            Set.of("read_file", "write_file", "edit_file", "list_files", "search", "run_command");

    private ToolChoice() {}

    /** Those for a model with this profile, the largest left out first; of one that nobody has examined, all. */
    static Toolbox of(Toolbox all, @Nullable ModelProfile profile) {
        Integer context = profile == null ? null : profile.contextTokens();
        List<ToolSpec> specs = all.specs();
        long words = specs.stream().mapToLong(ContextWindow::tokens).sum();
        if (context == null || words * PARTS <= context) {
            return all;
        }
        Set<String> chosen = new HashSet<>(all.names());
        List<ToolSpec> largestFirst = specs.stream()
                .filter(spec -> !CORE.contains(spec.name()))
                .sorted(Comparator.comparingLong((ToolSpec spec) -> ContextWindow.tokens(spec))
                        .reversed())
                .toList();
        for (ToolSpec spec : largestFirst) {
            if (words * PARTS > context) {
                chosen.remove(spec.name());
                words -= ContextWindow.tokens(spec);
            }
        }
        return all.only(chosen);
    }

    /** What the model is told when it has fewer than its instructions name. */
    static String said(Toolbox all, Toolbox chosen) {
        return chosen == all
                ? ""
                : "\n\n# Your tools\nYour context is small. Of the tools named above you have these: "
                        + String.join(
                                ", ",
                                chosen.specs().stream().map(ToolSpec::name).toList()) + ".";
    }
}
