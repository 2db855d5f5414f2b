package dev.gadget.drone.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a shell command line as the simple commands that it would run, each as its words. It knows quotes and the ways to chain
 * commands, and nothing else: of anything that it does not know for certain it says so, and the caller has to assume the worst.
 */
public final class ShellCommands {
    private static final int MAX_CHARS = 10_000;
    private static final int MAX_COMMANDS = 50;

    private final String line;
    private final List<List<String>> commands = new ArrayList<>();
    private List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;
    private int at;

    private ShellCommands(String line) {
        this.line = line;
    }

    /** The commands of a line, in their order; empty when there is something in it that this does not know. */
    public static Optional<List<List<String>>> of(String line) {
        return line.length() > MAX_CHARS ? Optional.empty() : new ShellCommands(line).read();
    }

    private Optional<List<List<String>>> read() {
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
            case '2' -> !inWord && line.startsWith("2>&1", at) && endsAt(at + 4) ? skipTo(at + 3) : plain(c);
            case '$', '`', '\\', '<', '(', ')', '{', '}', '!', '#', '~', '\r', '\0' -> false;
            default -> c >= ' ' && c != 0x7f && plain(c);
        };
    }

    private boolean plain(char c) {
        word.append(c);
        inWord = true;
        return true;
    }

    /** Output that is thrown away is the only one that goes elsewhere. */
    private boolean discards() {
        if (inWord && !word.toString().equals("2") && !word.toString().equals("1")) {
            return false;
        }
        String rest = line.substring(at + 1).stripLeading();
        int blanks = line.length() - at - 1 - rest.length();
        if (!rest.startsWith("/dev/null") || !endsAt(at + 1 + blanks + "/dev/null".length())) {
            return false;
        }
        word.setLength(0);
        inWord = false;
        return skipTo(at + blanks + "/dev/null".length());
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
        if (inWord) {
            words.add(word.toString());
            word.setLength(0);
            inWord = false;
        }
        return true;
    }

    /** An assignment before a command changes what the command does. */
    private boolean endCommand() {
        endWord();
        if (words.isEmpty()) {
            return true;
        }
        if (words.getFirst().contains("=") || words.getFirst().isEmpty()) {
            return false;
        }
        commands.add(List.copyOf(words));
        words = new ArrayList<>();
        return commands.size() <= MAX_COMMANDS;
    }
}
