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
            "--unified=3");

    private final Workspace workspace;

    GitChanges(Workspace workspace) {
        this.workspace = workspace;
    }

    /** The status of each of these names in a folder, as far as git says it in time. */
    Map<String, GitStatus> of(String folder, List<String> names) {
        Optional<Repository> repository = Repository.innermost(Repository.of(workspace), folder);
        if (repository.isEmpty()) {
            return Map.of();
        }
        String own = repository.get().own(folder);
        try {
            return status(new SafeGit(workspace, repository.get().root(), FOLDER_WITHIN), "normal", own)
                    .map(printed -> GitStatuses.read(printed.text()))
                    .orElse(GitStatuses.NONE)
                    .in(own, names);
        } catch (IOException e) {
            return Map.of();
        }
    }

    private static Optional<SafeGit.Printed> status(SafeGit git, String untracked, String path) throws IOException {
        List<String> command = new ArrayList<>(STATUS);
        command.addAll(List.of("--untracked-files=" + untracked, "--", path));
        return git.ask(MAX_STATUS_BYTES, command);
    }

    Reply list() throws IOException {
        List<Repository> repositories = Repository.of(workspace);
        if (repositories.isEmpty()) {
            return Reply.of(new FileAnswer.ChangesListed(false, List.of(), true));
        }
        List<ChangedFile> files = new ArrayList<>();
        boolean complete = true;
        for (Repository repository : repositories) {
            Optional<SafeGit.Printed> printed = status(new SafeGit(workspace, repository.root(), WITHIN), "all", ".");
            if (printed.isEmpty()) {
                return silent();
            }
            complete &= printed.get().complete();
            files.addAll(files(repository, printed.get(), repositories));
        }
        int count = 0;
        for (int chars = 0; count < Math.min(files.size(), MAX_FILES); count++) {
            chars += files.get(count).path().length();
            if (chars > MAX_PATH_CHARS) {
                break;
            }
        }
        return Reply.of(new FileAnswer.ChangesListed(true, files.subList(0, count), complete && count == files.size()));
    }

    /** By their paths in the workspace; a repository below is not a new file of the one above. */
    private static List<ChangedFile> files(
            Repository repository, SafeGit.Printed status, List<Repository> repositories) {
        return GitStatuses.read(status.text()).files().stream()
                .map(file -> new ChangedFile(repository.prefix() + file.path(), file.status()))
                .filter(file -> repositories.stream()
                        .noneMatch(other ->
                                other.prefix().length() > repository.prefix().length()
                                        && (file.path().endsWith("/") ? file.path() : file.path() + "/")
                                                .equals(other.prefix())))
                .toList();
    }

    Reply diff(@Nullable String path) throws IOException {
        List<Repository> all = Repository.of(workspace);
        if (path == null) {
            return all.isEmpty() ? Reply.of(new FileAnswer.DiffRead(false, true)) : diff(all, null, all);
        }
        String shown = workspace.show(workspace.toChange(path));
        Optional<Repository> repository = Repository.innermost(all, shown);
        return repository.isEmpty()
                ? Reply.of(new FileAnswer.DiffRead(false, true))
                : diff(List.of(repository.get()), repository.get().own(shown), all);
    }

    private Reply diff(List<Repository> repositories, @Nullable String path, List<Repository> all) throws IOException {
        StringBuilder text = new StringBuilder();
        boolean complete = true;
        for (Repository repository : repositories) {
            SafeGit git = new SafeGit(workspace, repository.root(), WITHIN);
            String own = path == null ? "." : path;
            Optional<SafeGit.Printed> status = status(git, "all", own);
            Optional<String> commit = lastCommit(git);
            if (status.isEmpty() || commit.isEmpty()) {
                return silent();
            }
            List<String> command = new ArrayList<>(DIFF);
            command.addAll(List.of(
                    "--src-prefix=a/" + repository.prefix(),
                    "--dst-prefix=b/" + repository.prefix(),
                    commit.get(),
                    "--",
                    own));
            int room = Protocol.MAX_TEXT_BYTES - text.toString().getBytes(StandardCharsets.UTF_8).length;
            Optional<SafeGit.Printed> printed = git.ask(Math.max(1, room), command);
            if (printed.isEmpty()) {
                return silent();
            }
            complete &= withNewFiles(text, printed.get(), status.get(), files(repository, status.get(), all));
        }
        return new Reply(new FileAnswer.DiffRead(true, complete), text.toString());
    }

    /** What to compare with; before the first commit that is the empty tree. */
    private static Optional<String> lastCommit(SafeGit git) throws IOException {
        Optional<SafeGit.Printed> head = git.ask(200, List.of("rev-parse", "--verify", "--quiet", "HEAD^{commit}"));
        return (head.isPresent() ? head : git.ask(200, List.of("hash-object", "-t", "tree", "--stdin")))
                .map(printed -> printed.text().strip());
    }

    /** Git's own comparison knows no file that it was not told of; false when there is no room for all of it. */
    private boolean withNewFiles(
            StringBuilder diff, SafeGit.Printed tracked, SafeGit.Printed status, List<ChangedFile> files) {
        diff.append(tracked.complete() ? tracked.text() : wholeLines(tracked.text()));
        boolean complete = tracked.complete() && status.complete();
        int bytes = diff.toString().getBytes(StandardCharsets.UTF_8).length;
        for (ChangedFile file : files) {
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
        return complete;
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
