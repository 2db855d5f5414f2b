package dev.gadget.drone.policy;

import dev.gadget.drone.git.Git;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What of the owner's own git settings counts in a sandbox, which does not see the home that they are in: who commits and how files
 * are compared, and nothing that lets somebody in.
 *
 * @param text as git reads it
 * @param files files of the owner that the settings name, by where they are seen inside
 */
record GitSettings(String text, Map<Path, Path> files) {
    /** Where git finds them inside. */
    static final Path INSIDE = Path.of("/run/gadget-git-config");

    private static final Set<String> SECTIONS = Set.of(
            "user",
            "author",
            "committer",
            "commit",
            "core",
            "filter",
            "safe",
            "init",
            "i18n",
            "status",
            "log",
            "diff",
            "merge",
            "branch");

    /** What names a file of patterns, and where git looks when nothing does. */
    private static final Map<String, String> PATTERNS =
            Map.of("core.excludesfile", "ignore", "core.attributesfile", "attributes");

    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final Duration KEPT = Duration.ofSeconds(5);
    private static final int MOST_KEPT = 100;
    private static final Map<Path, Read> READ = new ConcurrentHashMap<>();

    private record Read(GitSettings settings, long at) {}

    /** Those for the repository at this directory: the owner may have some for some only. */
    static GitSettings of(Path repository) {
        Read known = READ.get(repository);
        if (known != null && System.nanoTime() - known.at() < KEPT.toNanos()) {
            return known.settings();
        }
        if (READ.size() >= MOST_KEPT) {
            READ.clear();
        }
        GitSettings read = read(repository);
        READ.put(repository, new Read(read, System.nanoTime()));
        return read;
    }

    private static GitSettings read(Path repository) {
        Path home = Path.of(System.getenv().getOrDefault("HOME", System.getProperty("user.home", "/")));
        String configured = System.getenv("XDG_CONFIG_HOME");
        Path own = (configured == null || configured.isEmpty() ? home.resolve(".config") : Path.of(configured))
                .resolve("git");
        return read(repository, home, own);
    }

    /** Those in a home, and in its folder for git. */
    static GitSettings read(Path repository, Path home, Path own) {
        List<String> entries = new ArrayList<>();
        for (Path file : List.of(own.resolve("config"), home.resolve(".gitconfig"))) {
            if (Files.isReadable(file)) {
                entries.addAll(entries(repository, file));
            }
        }
        Map<Path, Path> files = new LinkedHashMap<>();
        StringBuilder text = new StringBuilder();
        Map<String, Path> patterns = new LinkedHashMap<>();
        PATTERNS.forEach((key, name) -> patterns.put(key, own.resolve(name)));
        for (String entry : entries) {
            int end = entry.indexOf('\n');
            String key = end < 0 ? entry : entry.substring(0, end);
            if (PATTERNS.containsKey(key) && end >= 0) {
                String path = entry.substring(end + 1);
                patterns.put(key, path.startsWith("~/") ? home.resolve(path.substring(2)) : home.resolve(path));
            } else if (SECTIONS.contains(key.substring(0, Math.max(0, key.indexOf('.'))))) {
                text.append(line(key, end < 0 ? null : entry.substring(end + 1)));
            }
        }
        patterns.forEach((key, file) -> {
            if (Files.isRegularFile(file)) {
                Path inside = INSIDE.resolveSibling("gadget-git-" + PATTERNS.get(key));
                files.put(inside, file);
                text.append(line(key, inside.toString()));
            }
        });
        return new GitSettings(text.toString(), files);
    }

    /** Key, line end and value of each; of a switch the key only. Nothing of the repository is taken but where and what it is. */
    private static List<String> entries(Path repository, Path file) {
        String[] list = {"config", "--file", file.toString(), "--includes", "-z", "--list"};
        Git.Answer answer = Git.in(repository).within(WITHIN).run(list);
        if (!answer.ok()) {
            answer = Git.in(Path.of("/")).within(WITHIN).run(list);
        }
        return answer.ok() ? answer.items() : List.of();
    }

    private static String line(String key, @Nullable String value) {
        int first = key.indexOf('.');
        int last = key.lastIndexOf('.');
        String section = key.substring(0, first).toLowerCase(Locale.ROOT);
        String of = first == last ? "" : " " + quoted(key.substring(first + 1, last));
        return "[" + section + of + "]\n" + key.substring(last + 1) + (value == null ? "" : " = " + quoted(value))
                + "\n";
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    /** The command line that puts them in their place inside, and then runs this one. */
    List<String> before(List<String> command) {
        List<String> line =
                new ArrayList<>(List.of("/bin/sh", "-c", "printf %s \"$0\" > " + INSIDE + " && exec \"$@\"", text));
        line.addAll(command);
        return line;
    }
}
