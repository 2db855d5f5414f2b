package dev.gadget.drone.policy;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Knows commands that destroy what cannot be brought back, for which a person is always asked. It is no boundary, for there are
 * other ways to the same end; the sandbox is.
 */
final class DestructiveCommands {
    private static final Set<String> ALWAYS = Set.of(
            "mkfs",
            "shred",
            "wipefs",
            "fdisk",
            "parted",
            "shutdown",
            "reboot",
            "halt",
            "poweroff",
            "sudo",
            "su",
            "doas",
            "pkexec");
    /** Longer ones are not looked through, and asked for. */
    private static final int MAX_CHARS = 100_000;

    /** For lines that cannot be read as plain commands: within one command each, and a bounded stretch of it. */
    private static final Pattern ANYWHERE = Pattern.compile(
            String.join(
                            "|",
                            "\\bdrop\\s+(table|database|schema)\\b",
                            "\\btruncate\\s+table\\b",
                            ":\\s*\\(\\s*\\)\\s*\\{",
                            "\\bmkfs",
                            "\\bof=/dev/",
                            "\\bgit\\b~\\bpush\\b~(--force|\\s-f\\b|\\s\\+)",
                            "\\bgit\\b~\\breset\\b~--hard",
                            "\\bgit\\b~\\bclean\\b~\\s-\\w*f",
                            "\\brm\\b~\\s-\\w*r~[\\s\"'](\\x7e|/|\\*|\\.)",
                            "\\b(sudo|doas|pkexec)\\b",
                            "\\bch(mod|own|grp)\\b~\\s-\\w*R")
                    .replace("~", "[^\\n;|&]{0,300}?"),
            Pattern.CASE_INSENSITIVE);

    private DestructiveCommands() {}

    /** What is destroyed, in words; empty when nothing is known of it. */
    static Optional<String> in(String line) {
        if (line.length() > MAX_CHARS) {
            return Optional.of("it is too long to look through");
        }
        Optional<String> known = ShellCommands.of(line)
                .flatMap(commands -> commands.stream()
                        .map(command -> of(command.words()))
                        .flatMap(Optional::stream)
                        .findFirst());
        if (known.isPresent()) {
            return known;
        }
        return ANYWHERE.matcher(line).find()
                ? Optional.of("it may destroy what cannot be brought back")
                : Optional.empty();
    }

    private static Optional<String> of(List<String> words) {
        String name = plainName(words.getFirst());
        List<String> arguments = words.subList(1, words.size());
        if (ALWAYS.contains(name) || name.startsWith("mkfs.")) {
            return Optional.of("`" + name + "` reaches beyond the workspace");
        }
        return switch (name) {
            case "rm" ->
                any(arguments, word -> flag(word, 'r', "--recursive") || flag(word, 'R', "--recursive"))
                                && any(arguments, DestructiveCommands::isWide)
                        ? Optional.of("it removes whole directories")
                        : Optional.empty();
            case "chmod", "chown", "chgrp" ->
                any(arguments, word -> flag(word, 'R', "--recursive"))
                        ? Optional.of("it changes the rights of whole directories")
                        : Optional.empty();
            case "dd" ->
                any(arguments, word -> word.startsWith("of="))
                        ? Optional.of("it overwrites by `dd`")
                        : Optional.empty();
            case "git" -> git(arguments);
            default -> Optional.empty();
        };
    }

    private static Optional<String> git(List<String> arguments) {
        boolean force = any(arguments, word -> flag(word, 'f', "--force") || word.startsWith("--force-with-lease"));
        if (arguments.contains("push")
                && (force
                        || arguments.contains("--mirror")
                        || arguments.contains("--delete")
                        || any(arguments, word -> word.startsWith("+")))) {
            return Optional.of("it overwrites or deletes what others have on the remote");
        }
        if (arguments.contains("reset") && arguments.contains("--hard")) {
            return Optional.of("it throws changes away that were not committed");
        }
        if (arguments.contains("clean") && force) {
            return Optional.of("it removes files that git does not know");
        }
        return Optional.empty();
    }

    /** Not a plain path below the workspace's own directories. */
    private static boolean isWide(String word) {
        return !word.startsWith("-")
                && (word.startsWith("/")
                        || word.startsWith("~")
                        || word.contains("*")
                        || word.equals(".")
                        || word.contains(".."));
    }

    private static boolean flag(String word, char letter, String name) {
        return word.equals(name) || (word.startsWith("-") && !word.startsWith("--") && word.indexOf(letter) > 0);
    }

    private static boolean any(List<String> words, Predicate<String> test) {
        return words.stream().anyMatch(test);
    }

    private static String plainName(String word) {
        return word.substring(word.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    }
}
