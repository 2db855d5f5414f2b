package dev.gadget.drone.file;

import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.SafeGit;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.file.ChangedFile;
import dev.gadget.model.file.ContentKind;
import dev.gadget.model.file.FileAnswer;
import dev.gadget.model.file.GitStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How the files of a workspace differ from the last commit. */
final class GitChanges {
    private static final int MAX_FILES = 2000;
    private static final int MAX_PATH_CHARS = 100_000;
    private static final int MAX_STATUS_BYTES = 1 << 20;
    /** Shorter than the service waits, so that it learns what took so long. */
    private static final Duration WITHIN = Duration.ofSeconds(12);
    /** A folder is shown without letters sooner than late. */
    private static final Duration FOLDER_WITHIN = Duration.ofSeconds(3);

    private static final List<String> STATUS =
            List.of("status", "--porcelain=v1", "-z", "--ignore-submodules=all", "--no-renames");
    private static final List<String> DIFF = List.of(
            "diff",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--no-renames",
            "--ignore-submodules=all",
            "--unified=3",
            "--src-prefix=a/",
            "--dst-prefix=b/");

    private final Workspace workspace;

    GitChanges(Workspace workspace) {
        this.workspace = workspace;
    }

    /** The status of each of these names in a folder, as far as git says it in time. */
    Map<String, GitStatus> of(String folder, List<String> names) throws InterruptedException {
        if (!SafeGit.isRepository(workspace.root())) {
            return Map.of();
        }
        try {
            return status(new SafeGit(workspace.root(), FOLDER_WITHIN), "normal", folder)
                    .map(printed -> GitStatuses.read(printed.text()))
                    .orElse(GitStatuses.NONE)
                    .in(folder, names);
        } catch (IOException e) {
            return Map.of();
        }
    }

    private static Optional<SafeGit.Printed> status(SafeGit git, String untracked, String path)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(STATUS);
        command.addAll(List.of("--untracked-files=" + untracked, "--", path));
        return git.ask(MAX_STATUS_BYTES, command);
    }

    Reply list() throws IOException, InterruptedException {
        if (!SafeGit.isRepository(workspace.root())) {
            return Reply.of(new FileAnswer.ChangesListed(false, List.of(), true));
        }
        Optional<SafeGit.Printed> printed = status(new SafeGit(workspace.root(), WITHIN), "all", ".");
        if (printed.isEmpty()) {
            return silent();
        }
        List<ChangedFile> files = GitStatuses.read(printed.get().text()).files();
        int count = 0;
        for (int chars = 0; count < Math.min(files.size(), MAX_FILES); count++) {
            chars += files.get(count).path().length();
            if (chars > MAX_PATH_CHARS) {
                break;
            }
        }
        return Reply.of(new FileAnswer.ChangesListed(
                true, files.subList(0, count), printed.get().complete() && count == files.size()));
    }

    Reply diff(@Nullable String path) throws IOException, InterruptedException {
        if (!SafeGit.isRepository(workspace.root())) {
            return Reply.of(new FileAnswer.DiffRead(false, true));
        }
        String shown = path == null ? "." : workspace.show(workspace.toChange(path));
        SafeGit git = new SafeGit(workspace.root(), WITHIN);
        Optional<SafeGit.Printed> status = status(git, "all", shown);
        Optional<String> commit = lastCommit(git);
        if (status.isEmpty() || commit.isEmpty()) {
            return silent();
        }
        List<String> command = new ArrayList<>(DIFF);
        command.addAll(List.of(commit.get(), "--", shown));
        Optional<SafeGit.Printed> printed = git.ask(Protocol.MAX_TEXT_BYTES, command);
        return printed.isEmpty() ? silent() : withNewFiles(printed.get(), status.get());
    }

    /** What to compare with; before the first commit that is the empty tree. */
    private static Optional<String> lastCommit(SafeGit git) throws IOException, InterruptedException {
        Optional<SafeGit.Printed> head = git.ask(200, List.of("rev-parse", "--verify", "--quiet", "HEAD^{commit}"));
        return (head.isPresent() ? head : git.ask(200, List.of("hash-object", "-t", "tree", "--stdin")))
                .map(printed -> printed.text().strip());
    }

    /** Git's own comparison knows no file that it was not told of. */
    private Reply withNewFiles(SafeGit.Printed tracked, SafeGit.Printed status) {
        StringBuilder diff = new StringBuilder(tracked.complete() ? tracked.text() : wholeLines(tracked.text()));
        boolean complete = tracked.complete() && status.complete();
        int bytes = diff.toString().getBytes(StandardCharsets.UTF_8).length;
        for (ChangedFile file : GitStatuses.read(status.text()).files()) {
            if (file.status() != GitStatus.UNTRACKED || !complete) {
                continue;
            }
            String added = added(file.path());
            bytes += added.getBytes(StandardCharsets.UTF_8).length;
            complete = bytes <= Protocol.MAX_TEXT_BYTES;
            if (complete) {
                diff.append(added);
            }
        }
        return new Reply(new FileAnswer.DiffRead(true, complete), diff.toString());
    }

    private static String wholeLines(String text) {
        return text.substring(0, text.lastIndexOf('\n') + 1);
    }

    private String added(String path) {
        String shown = path.replaceAll("\\p{Cntrl}", "?");
        String head = "diff --git a/" + shown + " b/" + shown + "\nnew file mode 100644\n";
        Content content;
        try {
            content = Content.read(workspace, workspace.toRead(path));
        } catch (IOException | PathRefusedException e) {
            return head; // gone meanwhile, or a link to elsewhere
        }
        if (content.version().kind() != ContentKind.TEXT) {
            return head + "Binary files /dev/null and b/" + shown + " differ\n";
        }
        return content.text().isEmpty() ? head : head + "--- /dev/null\n+++ b/" + shown + "\n" + hunk(content.text());
    }

    private static String hunk(String text) {
        boolean ended = text.endsWith("\n");
        String[] lines = (ended ? text.substring(0, text.length() - 1) : text).split("\n", -1);
        return "@@ -0,0 +1" + (lines.length == 1 ? "" : "," + lines.length) + " @@\n+" + String.join("\n+", lines)
                + (ended ? "\n" : "\n\\ No newline at end of file\n");
    }

    private static Reply silent() {
        return Reply.refused(
                FailureCode.WORKSPACE_UNUSABLE,
                "Git says nothing about this workspace: it failed, or took longer than " + WITHIN.toSeconds()
                        + " s. See what 'git status' says there.");
    }
}
