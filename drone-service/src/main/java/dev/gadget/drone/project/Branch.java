package dev.gadget.drone.project;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.git.GitFailedException;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.policy.WorkspaceGit;
import dev.gadget.model.FailureCode;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is checked out in a working tree, and how it stands to what it came from.
 *
 * @param name the branch; null when a commit is checked out
 * @param upstream what it is compared with: the branch it tracks, or else the default branch of the remote
 * @param tracks whether the upstream is the branch it tracks
 * @param changed whether files differ that git knows
 * @param dirty whether any differ, or are new
 */
record Branch(
        @Nullable String name,
        @Nullable String upstream,
        boolean tracks,
        @Nullable Integer ahead,
        @Nullable Integer behind,
        boolean changed,
        boolean dirty) {
    private static final Duration WITHIN = Duration.ofSeconds(12);
    private static final int MAX_OUTPUT = 1 << 20;

    static Branch of(Workspace workspace, Path base) throws ProjectFailedException {
        Git git;
        try {
            git = WorkspaceGit.toRead(workspace, base).within(WITHIN).atMost(MAX_OUTPUT);
        } catch (GitFailedException e) {
            throw new ProjectFailedException(
                    FailureCode.GIT_FAILED, "Git says nothing about the project: " + e.getMessage());
        }
        Git.Answer status =
                git.run("status", "--porcelain=v2", "--branch", "--ignore-submodules=all", "--no-renames", "-z");
        if (!status.ok()) {
            throw new ProjectFailedException(
                    FailureCode.GIT_FAILED,
                    "Git says nothing about the project: " + status.errors().strip()
                            + ". See what `git status` says there.");
        }
        String name = null;
        String upstream = null;
        Integer ahead = null;
        Integer behind = null;
        boolean changed = false;
        boolean dirty = false;
        for (String item : status.items()) {
            if (item.startsWith("# branch.head ")) {
                name = item.endsWith(" (detached)") ? null : item.substring("# branch.head ".length());
            } else if (item.startsWith("# branch.upstream ")) {
                upstream = item.substring("# branch.upstream ".length());
            } else if (item.startsWith("# branch.ab ")) {
                String[] counts = item.substring("# branch.ab ".length()).split(" ");
                ahead = Integer.valueOf(counts[0].substring(1));
                behind = Integer.valueOf(counts[1].substring(1));
            } else if (!item.startsWith("#")) {
                dirty = true;
                changed |= !item.startsWith("? ");
            }
        }
        if (upstream != null) {
            return new Branch(name, upstream, true, ahead, behind, changed, dirty);
        }
        return new Branch(name, null, false, null, null, changed, dirty).againstDefault(git);
    }

    /** A branch that tracks none is compared with what the remote has for its own. */
    private Branch againstDefault(Git git) {
        Git.Answer remote = git.run("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD");
        if (!remote.ok()) {
            return this;
        }
        Git.Answer counts = git.run("rev-list", "--left-right", "--count", "HEAD...refs/remotes/origin/HEAD", "--");
        String[] both = counts.text().strip().split("\\s+");
        return !counts.ok() || both.length != 2
                ? this
                : new Branch(
                        name,
                        remote.text().strip(),
                        false,
                        Integer.valueOf(both[0]),
                        Integer.valueOf(both[1]),
                        changed,
                        dirty);
    }
}
