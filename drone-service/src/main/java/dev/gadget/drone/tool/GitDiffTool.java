package dev.gadget.drone.tool;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shows what changed in a repository. */
@ApplicationScoped
public class GitDiffTool implements Tool {
    private static final ToolSpec SPEC = new ToolSpec(
            "git_diff",
            "The changes of the repository as a unified diff: of the working tree against HEAD, or what a commit or a range changed.",
            Repository.with(Schema.object()
                            .optionalText("path", "Only this file or directory, relative to the repository.")
                            .optionalText("revision", "A commit (shows what it changed) or a range like main..HEAD."))
                    .build());

    private static final Pattern RANGE = Pattern.compile("(.*?)(\\.{2,3})(.*)");
    private static final int MAX_NAMES = 1 << 20;
    private static final int MAX_DENIED = 500;

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolEffect effect() {
        return ToolEffect.READS;
    }

    @Override
    public Map<String, Object> example() {
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("path", "src");
        example.put("revision", "HEAD~1..HEAD");
        return example;
    }

    @Override
    public ToolResult run(ToolInvocation call) {
        String revision = call.find("revision")
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .orElse("");
        if (revision.contains(":")) {
            return ToolResult.failed("`revision` is `" + revision
                    + "`; it has to be a commit or a range like main..HEAD. Name a file as `path`.");
        }
        Git git = Repository.of(call);
        List<String> paths = new ArrayList<>(
                call.find("path").filter(path -> !path.isBlank()).map(path -> ":(literal)" + path).stream()
                        .toList());
        if (call.denied().isPresent()) {
            Git.Answer names =
                    run(git.atMost(MAX_NAMES), revision, List.of("--name-only", "-z", "--no-renames"), paths);
            if (!names.ok()) {
                return Repository.result(names, "");
            }
            paths.addAll(denied(call, names));
        }
        return Repository.result(run(git, revision, List.of(), paths), "[no changes]");
    }

    /** Of what changed, the files that rules forbid, as what git leaves out. */
    private static List<String> denied(ToolInvocation call, Git.Answer names) {
        Path root = Repository.root(call);
        List<String> denied = new ArrayList<>();
        try {
            for (String name : names.items()) {
                // Bytes that are no text would be left out by another name than git's.
                if (name.indexOf('\uFFFD') >= 0) {
                    throw new InvalidPathException(name, "not UTF-8");
                }
                if (call.denied(root.resolve(name))) {
                    denied.add(":(exclude,literal)" + name);
                }
            }
        } catch (InvalidPathException e) {
            throw new ToolFailedException("Rules deny some files here, and whether they deny `" + e.getInput()
                    + "` cannot be told, because this machine cannot read its name. Ask for other files by `path`.");
        }
        if (names.cut() || denied.size() > MAX_DENIED) {
            throw new ToolFailedException(
                    "Rules deny some files here, and too many changed to leave those out. Ask for a part of it by `path`.");
        }
        return denied;
    }

    private static Git.Answer run(Git git, String revision, List<String> how, List<String> paths) {
        boolean shows = !revision.isEmpty() && !revision.contains("..");
        List<String> arguments = new ArrayList<>(List.of(shows ? "show" : "diff"));
        arguments.addAll(List.of("--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"));
        arguments.addAll(how);
        if (shows && !how.isEmpty()) {
            arguments.add("--format=");
        }
        arguments.addAll(List.of("--end-of-options", revision.isEmpty() ? "HEAD" : commits(revision), "--"));
        arguments.addAll(paths);
        return git.run(arguments.toArray(String[]::new));
    }

    /** By its id a file could be shown, too, whatever its path is. */
    private static String commits(String revision) {
        Matcher range = RANGE.matcher(revision);
        return range.matches() ? commit(range.group(1)) + range.group(2) + commit(range.group(3)) : commit(revision);
    }

    private static String commit(String revision) {
        return revision.isEmpty() ? "" : revision + "^{commit}";
    }
}
