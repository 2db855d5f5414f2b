package dev.gadget.drone.policy;

import dev.gadget.drone.policy.ShellCommands.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Proposes what a person may allow beyond one very command: a rule's words for each command of the line, that end in a star behind
 * a subcommand whose further words only say what it works on. Of a line with one part that is not known nothing is proposed, and
 * never anything of a program that runs what its arguments say.
 */
public final class CommandPatterns {
    private static final int MOST_PARTS = 5;
    private static final int LONGEST = 200;

    /** They read what they are given, and neither write nor run anything, with whatever options. */
    private static final Set<String> READERS =
            words("head tail cat wc ls pwd echo grep egrep fgrep cut tr basename dirname");

    private static final Set<String> NODE = words("test t tst build lint check typecheck format");
    private static final Set<String> MAVEN = words("clean validate compile test-compile test package verify");
    private static final Set<String> GRADLE = words("clean assemble build check classes testClasses test compileJava");

    /** What of a program is proposed with further words. */
    private static final Map<String, Set<String>> SUBCOMMANDS = Map.ofEntries(
            Map.entry("git", words("diff log show status blame add commit ls-files rev-parse describe shortlog")),
            Map.entry("mvn", MAVEN),
            Map.entry("./mvnw", MAVEN),
            Map.entry("gradle", GRADLE),
            Map.entry("./gradlew", GRADLE),
            Map.entry("npm", words("test t tst")),
            Map.entry("pnpm", words("test t")),
            Map.entry("yarn", NODE),
            Map.entry("cargo", words("build check test clippy fmt doc bench")),
            Map.entry("go", words("build test vet fmt")),
            Map.entry("dotnet", words("build test format")),
            Map.entry("ruff", words("check format")));

    /** Their scripts are those of the workspace: allowed one by one, by name. */
    private static final Set<String> SCRIPTS = words("npm pnpm yarn");

    /** Options before the subcommand that have a word of their own behind them. */
    private static final Set<String> WITH_VALUE = words("-pl --projects -P -T --threads -w --workspace --filter");

    /** What makes another thing of a subcommand: it writes elsewhere, publishes, or names something to run. */
    private static final Map<String, Pattern> TURNS = Map.of(
            "git",
            any("--o", "--ou.*", "--ex.*", "-O.*", "--open.*"),
            "mvn",
            any(
                    "[^-].*:.*",
                    "install|deploy|site.*|release.*",
                    "-(f|s|gs|t|gt|l|is|ps|D)",
                    "--(fi|se|gl|to|log|ins|project-s|def).*",
                    "-D(exec|maven\\.ext|maven\\.repo|maven\\.multi|jvm|argLine|java\\.home).*"),
            // Tasks may be shortened, so that only what is known stays what it is.
            "gradle",
            Pattern.compile(
                    "(?!(" + String.join("|", GRADLE)
                            + "|--tests|[A-Z][\\w.*$]*|-[qiswx]|--(info|stacktrace|offline|no-daemon|continue|rerun-tasks|console=\\w+))$).*"),
            "node",
            any("-C|-c", "--(pre|dir|sc|sh|nod|us|gl|ca|cwd|use-).*"),
            "cargo",
            any("--(config|manifest|target-dir|out|artifact|open).*", "-[ZC].*"),
            "go",
            any(
                    "--?(exec|toolexec|vettool|overlay|modfile|ldflags|gcflags|asmflags|gccgoflags|compiler|C|o|outputdir|pkgdir)(=.*)?"),
            "dotnet",
            any(
                    "[-/](p|property|logger|l|o|a)([:=].*)?",
                    "--(property|logger|output|test-adapter|collect|settings).*",
                    "@.*"),
            "ruff",
            any("--(config|output|cache).*", "-o.*"));

    /** Shown as it is and read as it is: neither a star of its own nor anything that a reader could take for something else. */
    private static final Pattern PLAIN = Pattern.compile("[!-~&&[^*?\\[]]{1,100}");

    private CommandPatterns() {}

    /** What may be allowed so that this line is; empty when nothing can be proposed for all of it. */
    public static List<String> of(String line) {
        Optional<List<Command>> commands = ShellCommands.of(line);
        if (commands.isEmpty() || commands.get().size() > MOST_PARTS) {
            return List.of();
        }
        List<String> patterns = new ArrayList<>();
        for (Command command : commands.get()) {
            Optional<String> one = of(command);
            if (one.isEmpty() || one.get().length() > LONGEST) {
                return List.of();
            }
            patterns.add(one.get());
        }
        return patterns.stream().distinct().toList();
    }

    private static Optional<String> of(Command command) {
        List<String> words = command.words();
        String program = words.getFirst();
        if (READERS.contains(program)) {
            return Optional.of(program + " *");
        }
        if (program.equals("cd")) {
            return words.size() == 2 && isBelow(words.get(1)) ? fixed(command, 2, false) : Optional.empty();
        }
        int at = subcommand(words);
        if (at == 0 || at >= command.certain()) {
            return Optional.empty();
        }
        if (SCRIPTS.contains(program) && words.get(at).equals("run")) {
            int script = at + 2;
            return words.size() < script || words.get(at + 1).startsWith("-") || turns(command, script)
                    ? Optional.empty()
                    : fixed(command, script, words.size() > script);
        }
        return SUBCOMMANDS.getOrDefault(program, Set.of()).contains(words.get(at)) && !turns(command, at + 1)
                ? fixed(command, at + 1, true)
                : Optional.empty();
    }

    /** Where the first word is that is no option; 0 when there is none. */
    private static int subcommand(List<String> words) {
        // Git's own options name programs, configuration and other places.
        if (words.getFirst().equals("git")) {
            int at = words.size() > 1 && words.get(1).equals("--no-pager") ? 2 : 1;
            return at < words.size() ? at : 0;
        }
        for (int at = 1; at < words.size(); at++) {
            if (!words.get(at).startsWith("-") && !WITH_VALUE.contains(words.get(at - 1))) {
                return at;
            }
            if (turns(words.getFirst(), words.get(at))) {
                return 0;
            }
        }
        return 0;
    }

    private static Optional<String> fixed(Command command, int count, boolean open) {
        List<String> words = command.words().subList(0, count);
        return count <= command.certain()
                        && words.stream().allMatch(word -> PLAIN.matcher(word).matches())
                ? Optional.of(String.join(" ", words) + (open ? " *" : ""))
                : Optional.empty();
    }

    private static boolean isBelow(String directory) {
        return !directory.startsWith("-") && !List.of(directory.split("/")).contains("..");
    }

    /** Whether a word of the command, from this one on, makes another thing of it than what stands before. */
    static boolean turns(Command command, int from) {
        List<String> words = command.words();
        return IntStream.range(from, words.size())
                .anyMatch(at -> turns(words.getFirst(), words.get(at))
                        // There may be a file whose name is such a word.
                        || at >= command.certain()
                                && "*?[".indexOf(words.get(at).charAt(0)) >= 0);
    }

    private static boolean turns(String program, String word) {
        String kind = switch (program) {
            case "./mvnw" -> "mvn";
            case "./gradlew" -> "gradle";
            case "npm", "pnpm", "yarn" -> "node";
            default -> program;
        };
        Pattern pattern = TURNS.get(kind);
        return pattern != null && pattern.matcher(word).matches();
    }

    private static Pattern any(String... kinds) {
        return Pattern.compile(String.join("|", kinds));
    }

    private static Set<String> words(String text) {
        return Set.of(text.split(" "));
    }
}
