package dev.gadget.drone.policy;

import dev.gadget.drone.git.Git;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Looks at repositories that a command made: what {@code git init} and {@code git clone} write is fine, what git would run is not. */
final class MadeRepository {
    private static final int MAX_SETTINGS = 64 * 1024;
    private static final Duration WITHIN = Duration.ofSeconds(5);

    /** Settings by which git runs nothing and reads no other file of settings. */
    private static final Pattern HARMLESS = Pattern.compile(
            "core\\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf"
                    + "|eol|safecrlf|quotepath|worktree|sparsecheckout|sparsecheckoutcone)"
                    + "|extensions\\.(objectformat|refstorage|worktreeconfig|partialclone)"
                    + "|user\\.(name|email)|init\\.defaultbranch|pull\\.(rebase|ff)|commit\\.gpgsign|tag\\.gpgsign"
                    + "|branch\\..*\\.(remote|merge|rebase)|branch\\.(autosetuprebase|autosetupmerge)"
                    + "|remote\\..*\\.(url|pushurl|fetch|tagopt|promisor|partialclonefilter)"
                    + "|submodule\\..*\\.(url|active)|submodule\\.active|gc\\.auto|advice\\..*",
            Pattern.DOTALL);

    private final Workspace workspace;
    private final Set<Path> known = new HashSet<>();

    /**
     * @param before the repositories that were there
     */
    MadeRepository(Workspace workspace, Collection<Path> before) {
        this.workspace = workspace;
        for (Path top : before) {
            known.addAll(RepositoryParts.own(workspace.root(), top));
            known.addAll(RepositoryParts.modules(workspace.root(), top));
        }
    }

    /** What of the repository at this directory runs later. */
    List<Path> runsLater(Path top) {
        Path git = top.resolve(".git");
        Path root = workspace.root();
        try {
            Path folder = RepositoryParts.folder(top).normalize();
            Path common = RepositoryParts.common(folder).normalize();
            boolean inside = folder.startsWith(root)
                    && common.startsWith(root)
                    && folder.toRealPath().equals(folder)
                    && common.toRealPath().equals(common);
            // Only of a working tree the folder is in a file, and shares with another one.
            boolean plain = Files.isDirectory(git, LinkOption.NOFOLLOW_LINKS) && folder.equals(common);
            boolean named = Files.isRegularFile(git, LinkOption.NOFOLLOW_LINKS);
            if (!inside || !(plain || named)) {
                return List.of(git);
            }
            List<Path> found = new ArrayList<>();
            List<Path> parts = new ArrayList<>(RepositoryParts.own(root, top));
            parts.addAll(RepositoryParts.modules(root, top));
            for (Path part : parts) {
                if (!known.contains(part)) {
                    collect(part, found);
                }
            }
            return found;
        } catch (IOException e) {
            return List.of(git);
        }
    }

    private void collect(Path folder, List<Path> found) throws IOException {
        for (String settings : List.of("config", "config.worktree")) {
            Path file = folder.resolve(settings);
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !isHarmless(file)) {
                found.add(file);
            }
        }
        Path hooks = folder.resolve("hooks");
        if (Files.isSymbolicLink(hooks)) {
            found.add(hooks);
        } else if (Files.isDirectory(hooks, LinkOption.NOFOLLOW_LINKS)) {
            try (Stream<Path> entries = Files.list(hooks)) {
                entries.filter(hook -> !hook.toString().endsWith(".sample")).forEach(found::add);
            }
        }
    }

    private boolean isHarmless(Path file) {
        try {
            String text = new String(SafeFiles.read(workspace, file, MAX_SETTINGS), StandardCharsets.UTF_8);
            Git.Answer answer = Git.in(Path.of("/"))
                    .within(WITHIN)
                    .input(text)
                    .run("config", "--file", "-", "--no-includes", "-z", "--list");
            return answer.ok() && answer.items().stream().allMatch(MadeRepository::isHarmless);
        } catch (IOException | PathRefusedException e) {
            return false;
        }
    }

    private static boolean isHarmless(String entry) {
        int end = entry.indexOf('\n');
        String key = (end < 0 ? entry : entry.substring(0, end)).toLowerCase(Locale.ROOT);
        // `ext::COMMAND` is an address, too.
        return HARMLESS.matcher(key).matches()
                && !(key.startsWith("remote.") && entry.substring(end + 1).contains("::"));
    }
}
