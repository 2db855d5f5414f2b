package dev.gadget.drone.checkpoint;

import dev.gadget.drone.checkpoint.Tree.Changed;
import dev.gadget.drone.checkpoint.Tree.Moment;
import dev.gadget.drone.checkpoint.Tree.Side;
import dev.gadget.drone.git.Git;
import dev.gadget.drone.git.GitFailedException;
import dev.gadget.drone.policy.PageRules;
import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.Repositories;
import dev.gadget.drone.policy.SafeFiles;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.model.FailureCode;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.FileChange;
import dev.gadget.model.turn.TurnFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The states of a workspace before the first write of each turn and at its end. The workspace and each repository below it is a
 * {@link Tree} of its own. Where git is missing, or a workspace is too large, there is no undo, and turns work all the same.
 */
public final class Checkpoints {
    private static final Logger LOG = Logger.getLogger(Checkpoints.class);
    private static final int MAX_TREES = 20;
    private static final int DEEPEST = 3;
    private static final int MAX_LOOKED_AT = 200;
    private static final int MAX_TOLD_FILES = 200;
    private static final int MAX_TOLD_DIFF = 20_000;
    private static final int MAX_NAMED = 5;
    private static final int MAX_WHOLE_DIFF = 400_000;
    private static final String MORE = "\n… the diff is longer than this …\n";
    /** When looks at all files take longer, twice in a row, the other calls of the turn are not held up by them. */
    private static final long LONGEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final int SLOW_LOOKS = 2;

    private final Workspace workspace;
    private final Path store;
    /** The turns of which the state before is known to be kept: the question costs a process. */
    private final Set<TurnId> kept = ConcurrentHashMap.newKeySet();

    private final AtomicInteger slowLooks = new AtomicInteger();

    /** How the files stood at one moment of a turn: the trees, and the names of their states. */
    public static final class Present {
        private final Map<Tree, String> states = new LinkedHashMap<>();
        private final CancelSignal cancel;

        private Present(CancelSignal cancel) {
            this.cancel = cancel;
        }
    }

    /** What a turn changed in one tree. */
    private record Changes(Tree tree, List<Changed> files) {}

    /** The states of this workspace, kept in this directory. */
    public Checkpoints(Workspace workspace, Path store) {
        this.workspace = workspace;
        this.store = store;
    }

    /** The states of this workspace, kept in the drone's own folder. */
    public static Checkpoints of(Workspace workspace) {
        return new Checkpoints(workspace, workspace.root().resolve(".gadget/checkpoints"));
    }

    /** Keeps the state before the turn's first write; later calls do nothing. False when it cannot be kept. */
    public boolean before(TurnId turn) {
        try {
            Tree top = tree(workspace.root());
            if (kept.contains(turn) || top.has(turn, Moment.BEFORE)) {
                kept.add(turn);
                return true;
            }
            Deque<Path> ahead = new ArrayDeque<>(top.takeIn(List.of()));
            // Where the work is comes first, so that it is among those that are kept.
            if (ahead.remove(workspace.base())) {
                ahead.addFirst(workspace.base());
            }
            for (int trees = 1; !ahead.isEmpty() && trees < MAX_TREES; trees++) {
                Tree tree = tree(ahead.removeFirst());
                ahead.addAll(tree.takeIn(List.of()));
                tree.keep(turn, Moment.BEFORE);
            }
            // The top comes last: where it has a state, all have, also after a kill in the middle of this.
            top.keep(turn, Moment.BEFORE);
            kept.add(turn);
            return true;
        } catch (GitFailedException | UncheckedIOException e) {
            LOG.warnf("turn %s cannot be undone: %s", turn, e.getMessage());
            return false;
        }
    }

    /** A tool is about to write this file, which git may ignore. */
    public void touch(TurnId turn, Path file) {
        try {
            Tree tree = treeOf(turn, file);
            if (tree.has(turn, Moment.BEFORE)) {
                tree.touch(turn, tree.root().relativize(file).toString().replace('\\', '/'));
            }
        } catch (GitFailedException e) {
            LOG.warnf("the change of %s cannot be undone: %s", file, e.getMessage());
        }
    }

    /**
     * How the files of a turn stand now, after its first {@link #before}; empty when that cannot be told, or when looks were too slow.
     *
     * @param cancel ends the look, and the one that is compared with it
     */
    public Optional<Present> present(TurnId turn, CancelSignal cancel) {
        return look(cancel, () -> {
            var present = new Present(cancel);
            for (Tree tree : trees(turn)) {
                present.states.put(tree, tree.present(true, cancel));
            }
            return Optional.of(present);
        });
    }

    /** The beginning of the unified diff of what changed in the files since then; empty when nothing did, or it cannot be told. */
    public Optional<String> since(Present before) {
        return look(before.cancel, () -> {
            Map<Tree, String> now = new LinkedHashMap<>();
            before.states.forEach((tree, then) -> {
                String state = Files.isDirectory(tree.root()) ? tree.present(false, before.cancel) : then;
                if (!state.equals(then)) {
                    now.put(tree, state);
                }
            });
            String diff = diff(
                    List.copyOf(now.keySet()),
                    MAX_TOLD_DIFF,
                    (tree, most) -> tree.diff(
                            Objects.requireNonNull(before.states.get(tree)),
                            Objects.requireNonNull(now.get(tree)),
                            prefix(tree),
                            most,
                            before.cancel));
            return diff.isEmpty() ? Optional.empty() : Optional.of(diff);
        });
    }

    /** A look only informs: it neither holds up the work for long, nor breaks it. */
    private <T> Optional<T> look(CancelSignal cancel, Supplier<Optional<T>> one) {
        if (slowLooks.get() >= SLOW_LOOKS || cancel.cancelled()) {
            return Optional.empty();
        }
        long began = System.nanoTime();
        try {
            return one.get();
        } catch (RuntimeException e) {
            slowLooks.set(SLOW_LOOKS);
            LOG.infof("what the other commands of this turn change is told at its end: %s", e.getMessage());
            return Optional.empty();
        } finally {
            boolean tooLong = System.nanoTime() - began > LONGEST_LOOK_NANOS;
            slowLooks.updateAndGet(looks -> tooLong ? looks + 1 : looks >= SLOW_LOOKS ? looks : 0);
        }
    }

    /** Keeps the state at the end of the turn, and tells what it changed; empty when that is nothing or cannot be told. */
    public Optional<TurnFiles> after(TurnId turn) {
        try {
            List<Tree> trees = trees(turn);
            if (trees.isEmpty()) {
                return Optional.empty();
            }
            List<Changes> changes = new ArrayList<>();
            for (Tree tree : trees) {
                tree.takeIn(tree.touched(turn));
                tree.keep(turn, Moment.AFTER);
                List<Changed> changed = tree.changes(turn);
                // The first is kept also without changes: by it the others are found.
                if (tree != trees.getFirst() && changed.isEmpty()) {
                    tree.forget(turn);
                } else {
                    changes.add(new Changes(tree, changed));
                }
            }
            TurnFiles files = files(turn, changes);
            trees.forEach(Tree::tidy);
            return files.total() == 0 ? Optional.empty() : Optional.of(files);
        } catch (GitFailedException | UncheckedIOException e) {
            LOG.warnf("what turn %s changed cannot be told: %s", turn, e.getMessage());
            return Optional.empty();
        }
    }

    private TurnFiles files(TurnId turn, List<Changes> changes) {
        List<FileChange> files = new ArrayList<>();
        int total = 0;
        StringBuilder diff = new StringBuilder();
        boolean cut = false;
        for (Changes each : changes) {
            Tree tree = each.tree();
            Map<String, String[]> counts = counts(tree, turn);
            for (Changed changed : each.files()) {
                if (total++ < MAX_TOLD_FILES) {
                    files.add(told(tree, changed, counts.get(changed.path())));
                }
            }
            int room = MAX_TOLD_DIFF - diff.length();
            Git.Answer part = tree.diff(turn, prefix(tree), Math.max(1, room));
            cut |= part.cut();
            diff.append(room > 0 ? part.text() : "");
        }
        return new TurnFiles(files, total, diff.toString(), cut, false);
    }

    private static Map<String, String[]> counts(Tree tree, TurnId turn) {
        Map<String, String[]> counts = new HashMap<>();
        for (String item : tree.counts(turn)) {
            String[] fields = item.split("\t", 3);
            if (fields.length == 3) {
                counts.put(fields[2], fields);
            }
        }
        return counts;
    }

    private FileChange told(Tree tree, Changed changed, String @Nullable [] count) {
        FileChange.Kind kind = changed.before() == null
                ? FileChange.Kind.ADDED
                : changed.after() == null ? FileChange.Kind.DELETED : FileChange.Kind.MODIFIED;
        return new FileChange(prefix(tree) + changed.path(), kind, lines(count, 0), lines(count, 1));
    }

    /** None of a file that is not text. */
    private static @Nullable Integer lines(String @Nullable [] count, int column) {
        return count == null || count[column].equals("-") ? null : Integer.valueOf(count[column]);
    }

    /** The unified diff of the turn. */
    public String diff(TurnId turn) throws FilesRefusedException {
        return diff(ended(turn), MAX_WHOLE_DIFF, (tree, most) -> tree.diff(turn, prefix(tree), most));
    }

    private static String diff(List<Tree> trees, int maxBytes, BiFunction<Tree, Integer, Git.Answer> one) {
        StringBuilder diff = new StringBuilder();
        for (Tree tree : trees) {
            Git.Answer part = one.apply(tree, Math.max(1, maxBytes - diff.length()));
            diff.append(part.text());
            if (part.cut()) {
                return diff.append(MORE).toString();
            }
        }
        return diff.toString();
    }

    /**
     * Puts the files that the turn changed back to what they were before it, or to what it made of them.
     *
     * @param force also where a file was changed since
     * @return the files that were written or removed
     */
    public List<String> restore(TurnId turn, boolean undo, boolean force) throws FilesRefusedException, IOException {
        List<Tree> trees = ended(turn);
        if (trees.getFirst().isUndone(turn) == undo) {
            throw new FilesRefusedException(
                    FailureCode.CONFLICT,
                    undo
                            ? "The turn is undone already."
                            : "The turn was not undone, so that there is nothing to do again.",
                    List.of());
        }
        List<Changes> changes = trees.stream()
                .map(tree -> new Changes(tree, tree.changes(turn)))
                .toList();
        List<String> inTheWay = new ArrayList<>();
        for (Changes each : changes) {
            Tree tree = each.tree();
            for (Changed changed : each.files()) {
                Optional<Side> expected = Optional.ofNullable(undo ? changed.after() : changed.before());
                Optional<Side> wanted = Optional.ofNullable(undo ? changed.before() : changed.after());
                Optional<Side> now = tree.now(changed.path());
                if (!now.equals(expected) && !now.equals(wanted)) {
                    inTheWay.add(prefix(tree) + changed.path());
                }
            }
        }
        if (!inTheWay.isEmpty() && !force) {
            throw new FilesRefusedException(
                    FailureCode.CHANGED_MEANWHILE,
                    named(inTheWay)
                            + " changed after the turn. Nothing was written; with force the later changes are lost.",
                    inTheWay);
        }
        Optional<String> refusal = PageRules.of(workspace)
                .refusal(changes.stream()
                        .flatMap(each -> each.files().stream()
                                .map(changed -> each.tree().root().resolve(changed.path())))
                        .toList());
        if (refusal.isPresent()) {
            throw new FilesRefusedException(FailureCode.FORBIDDEN, refusal.get(), List.of());
        }
        List<String> written = new ArrayList<>();
        // First what goes: a file may stand where a directory is wanted.
        for (boolean goes : new boolean[] {true, false}) {
            for (Changes each : changes) {
                Tree tree = each.tree();
                for (Changed changed : each.files()) {
                    Side wanted = undo ? changed.before() : changed.after();
                    if (goes == (wanted == null)) {
                        restore(tree, changed.path(), wanted);
                        written.add(prefix(tree) + changed.path());
                    }
                }
            }
        }
        trees.getFirst().markUndone(turn, undo);
        return written;
    }

    /** The first of them by name, so that a person can look at them. */
    private static String named(List<String> files) {
        int more = files.size() - MAX_NAMED;
        return String.join(", ", files.subList(0, Math.min(MAX_NAMED, files.size())))
                + (more > 0 ? " and " + more + " more" : "")
                + (files.size() == 1 ? " was" : " were");
    }

    private void restore(Tree tree, String path, @Nullable Side wanted) throws IOException {
        Path file = tree.root().resolve(path).normalize();
        if (!file.startsWith(workspace.root())) {
            throw new PathRefusedException("outside the workspace: `" + path + "`");
        }
        if (wanted == null) {
            SafeFiles.delete(workspace, file);
            removeEmptyAbove(file);
            return;
        }
        byte[] content = tree.content(wanted);
        if (wanted.link()) {
            SafeFiles.delete(workspace, file);
            SafeFiles.link(workspace, file, Path.of(new String(content, StandardCharsets.UTF_8)));
        } else {
            if (Files.isSymbolicLink(file)) {
                SafeFiles.delete(workspace, file);
            }
            SafeFiles.write(workspace, file, content, wanted.executable());
        }
    }

    private void removeEmptyAbove(Path file) throws IOException {
        Path directory = file.getParent();
        while (directory != null && !directory.equals(workspace.root()) && Files.isDirectory(directory)) {
            try (Stream<Path> entries = Files.list(directory)) {
                if (entries.findAny().isPresent()) {
                    return;
                }
            }
            Files.delete(directory);
            directory = directory.getParent();
        }
    }

    private List<Tree> ended(TurnId turn) throws FilesRefusedException {
        List<Tree> trees;
        try {
            trees = trees(turn).stream()
                    .filter(tree -> tree.has(turn, Moment.AFTER))
                    .toList();
        } catch (GitFailedException e) {
            throw new FilesRefusedException(FailureCode.CONFLICT, String.valueOf(e.getMessage()), List.of());
        }
        if (trees.isEmpty()) {
            throw new FilesRefusedException(
                    FailureCode.NOT_FOUND,
                    "This drone keeps no state of that turn (any more): it changed no files, is too old, or ran elsewhere.",
                    List.of());
        }
        return trees;
    }

    private String prefix(Tree tree) {
        String shown = shown(tree.root());
        return shown.isEmpty() ? "" : shown + "/";
    }

    /** By its place in the whole workspace, wherever the work is. */
    private String shown(Path directory) {
        return workspace.root().relativize(directory).toString().replace('\\', '/');
    }

    private Tree tree(Path root) {
        String name = root.equals(workspace.root())
                ? "workspace"
                : Tree.blob(shown(root).getBytes(StandardCharsets.UTF_8));
        return new Tree(root, store.resolve(name + ".git"));
    }

    /** Those that have a state of this turn. */
    private List<Tree> trees(TurnId turn) {
        if (!tree(workspace.root()).has(turn, Moment.BEFORE)) {
            return List.of();
        }
        List<Tree> trees = new ArrayList<>(List.of(tree(workspace.root())));
        for (Path root :
                Repositories.below(workspace.root(), DEEPEST, MAX_LOOKED_AT, Checkpoints::mayHoldRepositories)) {
            Tree tree = tree(root);
            if (trees.size() <= MAX_TREES && tree.has(turn, Moment.BEFORE)) {
                trees.add(tree);
            }
        }
        return trees;
    }

    private Tree treeOf(TurnId turn, Path file) {
        for (Path at = file.getParent(); at != null && !at.equals(workspace.root()); at = at.getParent()) {
            if (Files.exists(at.resolve(".git"))) {
                Tree tree = tree(at);
                if (tree.has(turn, Moment.BEFORE)) {
                    return tree;
                }
            }
        }
        return tree(workspace.root());
    }

    private static boolean mayHoldRepositories(String name) {
        return (!name.startsWith(".") || name.equals(Workspace.WORKTREES))
                && !name.equals("node_modules")
                && !name.equals("target");
    }
}
