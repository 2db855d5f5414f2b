package dev.gadget.drone.policy;

import dev.gadget.drone.policy.ShellCommands.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Proposes what a person may allow beyond one very command: a rule's words for each command of the line, that end in a star behind
 * a subcommand. For the programs that are known here such a star stands for words that are known to be harmless and for no others,
 * since their parsers take one option in many spellings: this is a list of what is allowed, never of what is not. Of a line with one
 * part that is not known nothing is proposed, and never anything of a program that runs what its arguments say, nor of a line that
 * goes to another directory, where the same words name other programs.
 */
public final class CommandPatterns {
    private static final int MOST_PARTS = 5;
    private static final int LONGEST = 200;

    /** They read what they are given, and neither write nor run anything, with whatever options. */
    private static final Set<String> READERS =
            words("head tail cat wc ls pwd echo grep egrep fgrep cut tr basename dirname");

    /** What of a program is proposed. */
    private static final Map<String, Set<String>> SUBCOMMANDS = Map.of(
            "git", words("diff log show status blame add commit ls-files rev-parse describe shortlog"),
            "mvn", words("clean validate compile test-compile test package verify"),
            "gradle", words("clean assemble build check classes testClasses test compileJava"),
            "npm", words("test t tst"),
            "pnpm", words("test t"),
            "yarn", words("test build lint check typecheck format"),
            "cargo", words("build check test clippy fmt doc bench"),
            "go", words("build test vet fmt"),
            "ruff", words("check format"));

    /** Their scripts are those of the workspace, allowed one by one; what stands behind one may be read by an interpreter. */
    private static final Set<String> SCRIPTS = words("npm pnpm yarn");

    private static final Set<String> SILENT = words("-s --silent");

    /** Their subcommands may be many in one line, and behind options. */
    private static final Set<String> GOALS = words("mvn gradle");

    /**
     * The further words that are harmless.
     *
     * @param alone as one word
     * @param before with the next word, which is told what it is by this one
     */
    private record Further(Pattern alone, Set<String> before) {
        Further(String alone, String before) {
            this(Pattern.compile(alone), words(before));
        }
    }

    private static final Further PLAIN_WORDS = new Further("[^-].*", "");

    private static final Map<String, Further> FURTHER = Map.of(
            "git",
            new Further(
                    "[^-].*|--|-[psuwbzMC]|-sb|-sne?|-[0-9]+|-n[0-9]+|-U[0-9]+|-u(no|all|normal)"
                            + "|--(stat|shortstat|numstat|summary|name-only|name-status|cached|staged|patch|no-patch|check|word-diff"
                            + "|oneline|graph|all|branches|tags|decorate|first-parent|follow|merges|no-merges|reverse|no-color"
                            + "|no-renames|no-ext-diff|no-textconv|short|branch|porcelain|always|dirty|long|abbrev-ref"
                            + "|show-toplevel|verify|others|modified|deleted|exclude-standard)"
                            + "|--(since|until|after|before|author|grep|format|pretty|date|max-count|unified|diff-filter)=.*",
                    "-n -L"),
            "git add",
            new Further("[^-].*|--|-[Auv]|--(all|update|verbose)", ""),
            "git commit",
            new Further("[^-].*|--|-[aqv]|--(all|quiet|verbose)|--message=.*", "-m -am --message"),
            "mvn",
            new Further(
                    "-(B|q|e|X|o|U|N|ntp|am|amd|fae|ff|fn)|--(batch-mode|quiet|offline)"
                            + "|-D(test|it\\.test|skipTests|skipITs|maven\\.test\\.skip|surefire\\.failIfNoSpecifiedTests)(=.*)?",
                    "-pl -P -T -rf"),
            "gradle",
            new Further(
                    "-[qisw]|--(info|stacktrace|offline|no-daemon|continue|rerun-tasks|console=\\w+)", "--tests -x"),
            "cargo",
            new Further(
                    "[^-].*|-[qvr]|-vv|--(quiet|verbose|release|all|workspace|lib|bins|tests|examples|all-targets|all-features"
                            + "|no-default-features|offline|locked|frozen|no-run|no-fail-fast|doc|no-deps|check)",
                    "-p --package --test --bin --example --features -j --jobs"),
            "go",
            // Packages below: a file or a package from elsewhere would run as a test, too.
            new Further(
                    "\\.(/(\\.\\.\\.|\\w[\\w.-]*))*/?|-(v|race|short|cover|failfast|json|benchmem)"
                            + "|-(run|skip|bench|count|timeout|tags|p|parallel|cpu)=.*",
                    "-run -skip -bench -count -timeout -tags -p -parallel -cpu"),
            "ruff",
            // It writes what it formats, hence only below.
            new Further(
                    "(?![-/~@])(?!(.*/)?\\.\\.(/.*)?$)[^*?\\[]+|-[qv]|--(quiet|verbose|check|diff|no-fix|statistics|no-cache)"
                            + "|--(select|ignore|output-format)=.*",
                    "--select --ignore"));

    /** Shown as it is and read as it is: neither a star of its own nor anything that a reader could take for something else. */
    private static final Pattern PLAIN = Pattern.compile("[!-~&&[^*?\\[]]{1,100}");

    private static final Pattern OF_FILES = Pattern.compile("[*?\\[]");

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
        boolean known = SUBCOMMANDS.containsKey(program) || program.equals("./mvnw") || program.equals("./gradlew");
        int end = known && standsFor(command, at -> at == 0) ? end(words) : 0;
        return end > 0 && end <= words.size() ? fixed(command, end) : Optional.empty();
    }

    /** Behind the last word that says what is done, in a command all of whose words are known; 0 when none says it. */
    private static int end(List<String> words) {
        String kind = kind(words);
        if (SCRIPTS.contains(kind)) {
            long said = words.stream().filter(word -> !SILENT.contains(word)).count();
            return said > (words.contains("run") ? 2 : 1) ? words.size() : 0;
        }
        if (!GOALS.contains(kind)) {
            return subcommand(words) + 1;
        }
        int end = words.size();
        while (end > 0 && !isGoal(words, end - 1)) {
            end--;
        }
        return end;
    }

    private static Optional<String> fixed(Command command, int count) {
        List<String> words = command.words().subList(0, count);
        return count <= command.certain()
                        && words.stream().allMatch(word -> PLAIN.matcher(word).matches())
                ? Optional.of(String.join(" ", words) + (SCRIPTS.contains(kind(words)) ? "" : " *"))
                : Optional.empty();
    }

    /** Whether all words of the command that a rule does not name itself, from the second on, are what its stars stand for. */
    static boolean standsFor(Command command, IntPredicate named) {
        String kind = kind(command.words());
        return SCRIPTS.contains(kind)
                ? isScript(command, named)
                : !SUBCOMMANDS.containsKey(kind) || isHarmless(command, named);
    }

    /** One script, and nothing behind it. */
    private static boolean isScript(Command command, IntPredicate named) {
        List<String> words = command.words();
        Set<String> known = SUBCOMMANDS.getOrDefault(kind(words), Set.of());
        List<String> said = new ArrayList<>();
        for (int at = 1; at < words.size(); at++) {
            String word = words.get(at);
            if (SILENT.contains(word)) {
                continue;
            }
            boolean script = switch (said.size()) {
                case 0 -> word.equals("run") || known.contains(word);
                case 1 -> said.getFirst().equals("run") && !word.startsWith("-") && !ofFiles(command, at);
                default -> false;
            };
            if (!script && !named.test(at)) {
                return false;
            }
            said.add(word);
        }
        return true;
    }

    private static boolean isHarmless(Command command, IntPredicate named) {
        List<String> words = command.words();
        Further further = further(words);
        int subcommand = GOALS.contains(kind(words)) ? 0 : subcommand(words);
        // A rule that says what is done is not about doing more.
        boolean more = IntStream.range(1, words.size()).noneMatch(at -> named.test(at) && isGoal(words, at));
        for (int at = 1; at < words.size(); at++) {
            boolean told =
                    at > subcommand && at + 1 < words.size() && further.before().contains(words.get(at));
            boolean known = at < subcommand
                    || (at == subcommand || more && GOALS.contains(kind(words))) && isGoal(words, at)
                    || at > subcommand
                            && further.alone().matcher(words.get(at)).matches()
                            && !(ofFiles(command, at)
                                    && "*?[".indexOf(words.get(at).charAt(0)) >= 0);
            if (told) {
                at++;
                known = !words.get(at).startsWith("-") && !ofFiles(command, at);
            }
            if (!known && !named.test(at)) {
                return false;
            }
        }
        return true;
    }

    private static Further further(List<String> words) {
        String kind = kind(words);
        if (!kind.equals("git")) {
            return FURTHER.getOrDefault(kind, PLAIN_WORDS);
        }
        int at = subcommand(words);
        String subcommand = at < words.size() ? words.get(at) : "";
        // An option of one is another thing to the next.
        return SUBCOMMANDS.getOrDefault(kind, Set.of()).contains(subcommand)
                ? FURTHER.getOrDefault("git " + subcommand, FURTHER.getOrDefault(kind, PLAIN_WORDS))
                : PLAIN_WORDS;
    }

    /** Where it stands, when nothing but what is known stands before it. */
    private static int subcommand(List<String> words) {
        return kind(words).equals("git") && words.size() > 1 && words.get(1).equals("--no-pager") ? 2 : 1;
    }

    /** Whether this word says what is done, and is not what an option before it is told. */
    private static boolean isGoal(List<String> words, int at) {
        String kind = kind(words);
        return at > 0
                && SUBCOMMANDS.getOrDefault(kind, Set.of()).contains(words.get(at))
                && !(GOALS.contains(kind) && further(words).before().contains(words.get(at - 1)));
    }

    /** Whether the shell makes names of files of this word, any number of them. */
    private static boolean ofFiles(Command command, int at) {
        return at >= command.certain()
                && OF_FILES.matcher(command.words().get(at)).find();
    }

    private static String kind(List<String> words) {
        String name = words.getFirst().substring(words.getFirst().lastIndexOf('/') + 1);
        return switch (name) {
            case "mvnw" -> "mvn";
            case "gradlew" -> "gradle";
            default -> name;
        };
    }

    private static Set<String> words(String text) {
        return Set.of(text.split(" "));
    }
}
