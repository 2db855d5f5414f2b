package dev.gadget.drone.tool;

import dev.gadget.drone.policy.PathGlob;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The .gitignore of one directory, on top of those above it. */
final class IgnoreRules {
    private static final int MAX_BYTES = 256 * 1024;

    /** @param ofName whether the name alone counts, wherever it is */
    private record Rule(PathGlob glob, boolean ofName, boolean negated, boolean directoriesOnly) {}

    private final @Nullable IgnoreRules above;
    private final Path directory;
    private final List<Rule> rules;

    private IgnoreRules(@Nullable IgnoreRules above, Path directory, List<Rule> rules) {
        this.above = above;
        this.directory = directory;
        this.rules = rules;
    }

    /** The rules that hold in a directory, given those of the directory above. */
    static IgnoreRules of(@Nullable IgnoreRules above, Path directory) {
        return new IgnoreRules(above, directory, read(directory.resolve(".gitignore")));
    }

    boolean ignored(Path path, boolean isDirectory) {
        for (IgnoreRules at = this; at != null; at = at.above) {
            String relative = at.directory.relativize(path).toString().replace('\\', '/');
            String name = relative.substring(relative.lastIndexOf('/') + 1);
            for (Rule rule : at.rules.reversed()) {
                if ((isDirectory || !rule.directoriesOnly()) && rule.glob().matches(rule.ofName() ? name : relative)) {
                    return !rule.negated();
                }
            }
        }
        return false;
    }

    private static List<Rule> read(Path file) {
        List<Rule> rules = new ArrayList<>();
        try {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) <= MAX_BYTES) {
                for (String line :
                        Files.readString(file, StandardCharsets.UTF_8).split("\\R")) {
                    add(rules, line.strip());
                }
            }
        } catch (IOException e) {
            // A file that cannot be read ignores nothing.
            return List.of();
        }
        return rules;
    }

    private static void add(List<Rule> rules, String line) {
        if (line.isEmpty() || line.startsWith("#") || line.length() > 500) {
            return;
        }
        boolean negated = line.startsWith("!");
        String glob = negated ? line.substring(1) : line;
        boolean directories = glob.endsWith("/");
        glob = directories ? glob.substring(0, glob.length() - 1) : glob;
        boolean anchored = glob.contains("/");
        glob = glob.startsWith("/") ? glob.substring(1) : glob;
        try {
            rules.add(new Rule(PathGlob.of(glob), !anchored, negated, directories));
        } catch (IllegalArgumentException e) {
            // Git itself takes a pattern that it cannot read as one that matches nothing.
            return;
        }
    }
}
