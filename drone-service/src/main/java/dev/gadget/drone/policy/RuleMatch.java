package dev.gadget.drone.policy;

import dev.gadget.model.ApprovalRule;
import dev.gadget.model.ApprovalRule.Action;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds what the rules say of a call: the strictest of those that fit it. */
final class RuleMatch {
    /** They run what their arguments say, so that a rule on words says nothing of them. */
    private static final Set<String> WRAPPERS = Set.of(
            "sh", "bash", "dash", "zsh", "ksh", "env", "xargs", "nohup", "time", "timeout", "nice", "exec", "eval",
            "command", "builtin", "find", "sudo", "doas", "su", "python", "python3", "perl", "ruby", "node", "awk",
            "ssh", "watch", "setsid", "stdbuf", "make", "npx", "busybox", "source", ".");

    private RuleMatch() {}

    static Optional<Action> of(List<ApprovalRule> rules, ApprovalRules.Call call) {
        List<ApprovalRule> ofTool =
                rules.stream().filter(rule -> fitsTool(rule, call)).toList();
        if (ofTool.stream().anyMatch(rule -> rule.action() == Action.DENY && fitsAny(rule, call))) {
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
        boolean path = rule.path() == null || call.files().stream().anyMatch(file -> fits(rule.path(), file));
        boolean command = rule.command() == null
                || commands(call).stream().flatMap(List::stream).anyMatch(words -> fits(rule.command(), plain(words)));
        return path && command;
    }

    /** A line that cannot be read, or that runs what its arguments say, may hold what the rule is about. */
    private static boolean mayFit(ApprovalRule rule, ApprovalRules.Call call) {
        if (rule.command() == null || call.command().isEmpty()) {
            return false;
        }
        Optional<List<List<String>>> commands = commands(call);
        return commands.isEmpty()
                || commands.get().stream()
                        .anyMatch(words -> WRAPPERS.contains(plain(words).getFirst()));
    }

    private static boolean allowed(List<ApprovalRule> rules, ApprovalRules.Call call) {
        if (call.command().isPresent()) {
            Optional<List<List<String>>> commands = commands(call);
            return rules.stream().anyMatch(rule -> rule.command() == null && rule.path() == null && rule.tool() != null)
                    || commands.isPresent()
                            && commands.get().stream()
                                    .allMatch(words -> rules.stream()
                                            .anyMatch(rule -> rule.command() != null
                                                    && rule.path() == null
                                                    && fits(rule.command(), words)));
        }
        return rules.stream()
                .anyMatch(rule -> rule.command() == null
                        && (rule.path() == null
                                || !call.files().isEmpty()
                                        && call.files().stream().allMatch(file -> fits(rule.path(), file))));
    }

    private static Optional<List<List<String>>> commands(ApprovalRules.Call call) {
        return call.command().flatMap(ShellCommands::of);
    }

    private static List<String> plain(List<String> words) {
        String first = words.getFirst();
        return Stream.concat(
                        Stream.of(first.substring(first.lastIndexOf('/') + 1)), words.subList(1, words.size()).stream())
                .toList();
    }

    /** A glob without a slash is about the name of a file, wherever it is. */
    private static boolean fits(String glob, Path file) {
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
        return matcher.matches(file)
                || (!glob.contains("/") && file.getFileName() != null && matcher.matches(file.getFileName()));
    }

    private static boolean fits(String pattern, List<String> words) {
        List<String> wanted = List.of(pattern.strip().split("\\s+"));
        boolean open = wanted.size() > 1 && wanted.getLast().equals("*");
        int fixed = open ? wanted.size() - 1 : wanted.size();
        if (open ? words.size() < fixed : words.size() != fixed) {
            return false;
        }
        for (int i = 0; i < fixed; i++) {
            if (!word(wanted.get(i)).matcher(words.get(i)).matches()) {
                return false;
            }
        }
        return true;
    }

    private static Pattern word(String wanted) {
        return Pattern.compile(
                Stream.of(wanted.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
                Pattern.DOTALL);
    }
}
