package dev.gadget.drone.policy;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a shell command line as the simple commands that it would run, each as its words. It knows quotes, the ways to chain
 * commands, and what {@code if} and {@code while} put before a command, and nothing else: of anything that it does not know for
 * certain it says so, and the caller has to assume the worst.
 */
public final class ShellCommands {
    /**
     * One of them.
     *
     * @param words at least one
     * @param certain how many of them from the first on are what the command gets, at least one; the next one is a pattern of file
     *     names, which stands for any number of words
     */
    public record Command(List<String> words, int certain) {
        public Command {
            words = List.copyOf(words);
            if (certain < 1 || certain > words.size()) {
                throw new IllegalArgumentException(certain + " of " + words.size() + " words cannot be certain");
            }
        }

        /** The program without its directory, and the other words. */
        List<String> plainWords() {
            List<String> plain = new ArrayList<>(words);
            plain.set(0, words.getFirst().substring(words.getFirst().lastIndexOf('/') + 1));
            return plain;
        }
    }

    /** What the shell takes away before a command that it runs. */
    private static final Set<String> BEFORE_A_COMMAND = Set.of("if", "then", "elif", "else", "while", "until", "do");

    private static final Set<String> ALONE = Set.of("fi", "done");
    private static final Set<String> NOT_READ =
            Set.of("for", "in", "case", "esac", "select", "function", "coproc", "[[", "]]");
    private static final String NOWHERE = "/dev/null";
    private static final int MAX_CHARS = 10_000;
    private static final int MAX_COMMANDS = 50;

    private final String line;
    private final List<Command> commands = new ArrayList<>();
    private List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;
    private boolean inQuotes;
    private boolean pattern;
    private boolean keyword;
    private int certain;
    private int at;

    private ShellCommands(String line) {
        this.line = line;
    }

    /** The commands of a line, in their order; empty when there is something in it that this does not know. */
    public static Optional<List<Command>> of(String line) {
        return line.length() > MAX_CHARS || !toTheShell().newEncoder().canEncode(line)
                ? Optional.empty()
                : new ShellCommands(line).read();
    }

    /**
     * What it does not know reaches the shell as a question mark, which is a pattern of file names there. It is asked for each time: kept
     * in a static it would be the one of the machine that built the native program.
     */
    private static Charset toTheShell() {
        return Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    }

    private Optional<List<Command>> read() {
        while (at < line.length()) {
            if (!take(line.charAt(at))) {
                return Optional.empty();
            }
            at++;
        }
        if (!endCommand() || commands.isEmpty() || commands.size() > MAX_COMMANDS) {
            return Optional.empty();
        }
        return Optional.of(commands);
    }

    private boolean take(char c) {
        return switch (c) {
            case ' ', '\t' -> endWord();
            case '\n', ';' -> endCommand();
            case '|' -> {
                // |& is of another shell, and || is the same to this as |.
                skip('|');
                yield next() != '&' && endCommand();
            }
            // A single one sends it to the background, which outlives the line.
            case '&' -> next() == '&' && skip('&') && endCommand();
            case '\'' -> quoted();
            case '"' -> doubleQuoted();
            case '>' -> discards();
            case '2' ->
                !inWord && !words.isEmpty() && line.startsWith("2>&1", at) && endsAt(at + 4)
                        ? skipTo(at + 3)
                        : plain(c);
            case '*', '?' -> pattern(c);
            // Alone it is a command.
            case '[' -> inWord || !endsAt(at + 1) ? pattern(c) : plain(c);
            // A home only where a word or what is assigned in it begins.
            case '~' -> inWord && !"=:".contains(String.valueOf(line.charAt(at - 1))) && plain(c);
            case '$', '`', '\\', '<', '(', ')', '{', '}', '!', '#', '\r', '\0' -> false;
            // What some shells take for a blank, or nobody sees, is none of those that are known here.
            default -> !Character.isISOControl(c) && !Character.isSpaceChar(c) && plain(c);
        };
    }

    private boolean plain(char c) {
        word.append(c);
        inWord = true;
        return true;
    }

    private boolean pattern(char c) {
        pattern = true;
        return plain(c);
    }

    /** Output that is thrown away is the only one that goes elsewhere; before a command it would change what is a keyword. */
    private boolean discards() {
        // A number in quotes is a word of the command.
        boolean number =
                !inQuotes && (word.toString().equals("2") || word.toString().equals("1"));
        int target = at + 1;
        while (target < line.length() && " \t".indexOf(line.charAt(target)) >= 0) {
            target++;
        }
        int end = target + NOWHERE.length();
        if (words.isEmpty() || inWord && !number || !line.startsWith(NOWHERE, target) || !endsAt(end)) {
            return false;
        }
        word.setLength(0);
        inWord = false;
        return skipTo(end - 1);
    }

    private boolean endsAt(int index) {
        return index >= line.length() || " \t\n;|&".indexOf(line.charAt(index)) >= 0;
    }

    private boolean quoted() {
        int end = line.indexOf('\'', at + 1);
        if (end < 0) {
            return false;
        }
        word.append(line, at + 1, end);
        inWord = true;
        inQuotes = true;
        return skipTo(end);
    }

    private boolean doubleQuoted() {
        int end = line.indexOf('"', at + 1);
        if (end < 0) {
            return false;
        }
        String inside = line.substring(at + 1, end);
        if (inside.indexOf('$') >= 0 || inside.indexOf('`') >= 0 || inside.indexOf('\\') >= 0) {
            return false;
        }
        word.append(inside);
        inWord = true;
        inQuotes = true;
        return skipTo(end);
    }

    private char next() {
        return at + 1 < line.length() ? line.charAt(at + 1) : ' ';
    }

    private boolean skip(char wanted) {
        if (next() == wanted) {
            at++;
        }
        return true;
    }

    private boolean skipTo(int index) {
        at = index;
        return true;
    }

    private boolean endWord() {
        if (!inWord) {
            return true;
        }
        String whole = word.toString();
        boolean first = words.isEmpty();
        boolean reserved = first && !inQuotes;
        if (!reserved || !BEFORE_A_COMMAND.contains(whole)) {
            keyword = first ? reserved && ALONE.contains(whole) : keyword;
            certain += !pattern && certain == words.size() ? 1 : 0;
            words.add(whole);
        }
        word.setLength(0);
        inWord = false;
        inQuotes = false;
        pattern = false;
        return !reserved || !NOT_READ.contains(whole);
    }

    /** An assignment before a command changes what the command does. */
    private boolean endCommand() {
        if (!endWord()) {
            return false;
        }
        if (words.isEmpty()) {
            return true;
        }
        if (keyword) {
            boolean alone = words.size() == 1;
            words.clear();
            certain = 0;
            return alone;
        }
        if (certain == 0 || words.getFirst().contains("=") || words.getFirst().isEmpty()) {
            return false;
        }
        commands.add(new Command(words, certain));
        words = new ArrayList<>();
        certain = 0;
        return commands.size() <= MAX_COMMANDS;
    }
}
