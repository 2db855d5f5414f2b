package dev.gadget.drone.policy;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Command lines that are known to reach for no network, so that nothing has to be started to tell them that it is closed. */
public final class InsideCommands {
    private static final Set<String> PROGRAMS = Set.of(
            "basename",
            "cat",
            "cd",
            "chmod",
            "cmp",
            "cp",
            "cut",
            "date",
            "df",
            "diff",
            "dirname",
            "du",
            "echo",
            "expr",
            "false",
            "file",
            "grep",
            "head",
            "ln",
            "ls",
            "mkdir",
            "mv",
            "printf",
            "pwd",
            "realpath",
            "rg",
            "rm",
            "rmdir",
            "sed",
            "seq",
            "sha256sum",
            "sleep",
            "sort",
            "stat",
            "tail",
            "test",
            "touch",
            "tr",
            "tree",
            "true",
            "uniq",
            "wc",
            "which");
    private static final Set<String> OF_GIT =
            Set.of("add", "blame", "branch", "commit", "diff", "log", "ls-files", "rev-parse", "show", "status");

    private InsideCommands() {}

    /** Whether nothing in the line can want the network; not so of a line that cannot be read for certain. */
    public static boolean allIn(String line) {
        Optional<List<ShellCommands.Command>> commands = ShellCommands.of(line);
        return commands.isPresent() && commands.get().stream().allMatch(InsideCommands::inside);
    }

    private static boolean inside(ShellCommands.Command command) {
        List<String> words = command.plainWords();
        return PROGRAMS.contains(words.getFirst())
                || words.getFirst().equals("git") && words.size() > 1 && OF_GIT.contains(words.get(1));
    }
}
