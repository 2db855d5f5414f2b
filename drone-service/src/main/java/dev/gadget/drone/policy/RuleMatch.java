package dev.gadget.drone.policy;

import dev.gadget.drone.policy.ShellCommands.Command;
import dev.gadget.model.ApprovalRule;
import dev.gadget.model.ApprovalRule.Action;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Finds what the rules say of a call: the strictest of those that fit it. */
final class RuleMatch {
    /** They run what their arguments say, or what they read, so that a rule on words says nothing of them. */
    private static final Set<String> WRAPPERS = Set.of(
            ("sh bash dash zsh ksh mksh ash csh tcsh fish rbash busybox toybox source . eval exec command builtin trap alias"
                            + " coproc time env xargs parallel find fd nohup timeout nice ionice chrt taskset setsid stdbuf setarch"
                            + " linux64 unbuffer script watch entr flock strace ltrace gdb prlimit setpriv chroot unshare nsenter"
                            + " bwrap systemd-run dbus-run-session sudo doas su runuser pkexec sg newgrp at batch crontab ssh"
                            + " python perl ruby node nodejs deno bun php lua tclsh expect awk gawk mawk nawk sed ed ex vi vim"
                            + " nvim emacs less more man tar rsync make gmake cmake ninja just npx pnpx bunx uvx")
                    .split(" "));

    private static final Pattern VERSION = Pattern.compile("[0-9.]+$");
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private RuleMatch() {}

    static Optional<Action> of(List<ApprovalRule> rules, ApprovalRules.Call call) {
        List<ApprovalRule> ofTool =
                rules.stream().filter(rule -> fitsTool(rule, call)).toList();
        if (ofTool.stream()
                .anyMatch(rule -> rule.action() == Action.DENY && (fitsAny(rule, call) || fitsRead(rule, call)))) {
            return Optional.of(Action.DENY);
        }
        if (ofTool.stream().anyMatch(rule -> rule.action() == Action.ASK && fitsAny(rule, call))
                || ofTool.stream().anyMatch(rule -> rule.action() != Action.ALLOW && mayFit(rule, call))) {
            return Optional.of(Action.ASK);
        }
        return allowed(
                        ofTool.stream()
                                .filter(rule -> rule.action() == Action.ALLOW)
                                .toList(),
                        call)
                ? Optional.of(Action.ALLOW)
                : Optional.empty();
    }

    private static boolean fitsTool(ApprovalRule rule, ApprovalRules.Call call) {
        return rule.tool() == null || rule.tool().equals("*") || rule.tool().equals(call.tool());
    }

    private static boolean fitsAny(ApprovalRule rule, ApprovalRules.Call call) {
        boolean path = rule.path() == null || Paths.of(rule).anyOf(call.files());
        boolean command = rule.command() == null
                || commands(call).stream()
                        .flatMap(List::stream)
                        .anyMatch(one -> fits(rule.command(), one.plainWords(), one.certain()));
        return path && command;
    }

    /** What is denied by its path is not told to the model either. */
    private static boolean fitsRead(ApprovalRule rule, ApprovalRules.Call call) {
        return rule.path() != null && rule.command() == null && Paths.of(rule).anyOf(call.reads());
    }

    /** A line that cannot be read, or that runs what its arguments say, may hold what the rule is about. */
    private static boolean mayFit(ApprovalRule rule, ApprovalRules.Call call) {
        if (rule.command() == null || call.command().isEmpty()) {
            return false;
        }
        Optional<List<Command>> commands = commands(call);
        return commands.isEmpty() || commands.get().stream().anyMatch(one -> mayFit(rule.command(), one));
    }

    private static boolean mayFit(String pattern, Command command) {
        List<String> words = command.plainWords();
        List<String> wanted = words(pattern);
        return wraps(words)
                || command.certain() < words.size() && begins(words, wanted, Math.min(command.certain(), fixed(wanted)))
                || wanted.size() > 1
                        && begins(words, wanted, 1)
                        && words.size() > 1
                        && words.get(1).startsWith("-")
                        && words.stream().skip(2).anyMatch(word -> Wildcard.matches(wanted.get(1), word));
    }

    /** Also python3.12, and git with an alias or a program for its own use on its command line. */
    static boolean wraps(List<String> words) {
        String name = words.getFirst();
        return WRAPPERS.contains(name)
                || WRAPPERS.contains(VERSION.matcher(name).replaceFirst(""))
                || name.equals("git")
                        && words.size() > 1
                        && words.get(1).startsWith("-")
                        && words.stream().anyMatch(word -> word.equals("-c") || word.startsWith("--config"));
    }

    private static boolean allowed(List<ApprovalRule> rules, ApprovalRules.Call call) {
        if (call.command().isPresent()) {
            Optional<List<Command>> commands = commands(call);
            return rules.stream().anyMatch(rule -> rule.command() == null && rule.path() == null && rule.tool() != null)
                    || commands.isPresent()
                            && commands.get().stream()
                                    .allMatch(one -> rules.stream()
                                            .anyMatch(rule -> rule.command() != null
                                                    && rule.path() == null
                                                    && covers(rule.command(), one)));
        }
        return rules.stream()
                .anyMatch(rule -> rule.command() == null
                        && (rule.path() == null
                                || !call.files().isEmpty() && Paths.of(rule).allOf(call.files())));
    }

    /** Of the programs that are well known a star stands for harmless words only. */
    private static boolean covers(String pattern, Command command) {
        List<String> wanted = words(pattern);
        return fits(pattern, command.words(), command.certain())
                && CommandPatterns.standsFor(
                        command, at -> at < fixed(wanted) && wanted.get(at).indexOf('*') < 0);
    }

    private static Optional<List<Command>> commands(ApprovalRules.Call call) {
        return call.command().flatMap(ShellCommands::of);
    }

    /**
     * The files that a rule is about: a glob without a slash is about the name of a file, wherever it is.
     *
     * @param glob empty for one that cannot be read, which forbids all files and allows none
     */
    private record Paths(Optional<PathGlob> glob, boolean ofName) {
        static Paths of(ApprovalRule rule) {
            String text = Objects.requireNonNull(rule.path());
            try {
                return new Paths(Optional.of(PathGlob.of(text)), !text.contains("/"));
            } catch (IllegalArgumentException e) {
                return new Paths(Optional.empty(), false);
            }
        }

        boolean anyOf(List<Path> files) {
            return !files.isEmpty() && (glob.isEmpty() || files.stream().anyMatch(this::fits));
        }

        boolean allOf(List<Path> files) {
            return glob.isPresent() && files.stream().allMatch(this::fits);
        }

        private boolean fits(Path file) {
            PathGlob wanted = glob.orElseThrow();
            return wanted.matches(file.toString().replace('\\', '/'))
                    || ofName && file.getFileName() != null && wanted.matches(String.valueOf(file.getFileName()));
        }
    }

    /** Words after the certain ones may be any, and any number of them: only an open end fits those. */
    private static boolean fits(String pattern, List<String> words, int certain) {
        List<String> wanted = words(pattern);
        int fixed = fixed(wanted);
        boolean open = fixed < wanted.size();
        return certain >= fixed && (open || words.size() == fixed) && begins(words, wanted, fixed);
    }

    private static boolean begins(List<String> words, List<String> wanted, int count) {
        for (int i = 0; i < count; i++) {
            if (!Wildcard.matches(wanted.get(i), words.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static List<String> words(String pattern) {
        return List.of(BLANKS.split(pattern.strip()));
    }

    /** How many words there have to be at least: a star at the end is any number of them. */
    private static int fixed(List<String> wanted) {
        return wanted.size() > 1 && wanted.getLast().equals("*") ? wanted.size() - 1 : wanted.size();
    }
}
