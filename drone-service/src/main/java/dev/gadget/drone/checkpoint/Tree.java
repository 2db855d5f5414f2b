package dev.gadget.drone.checkpoint;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.git.GitFailedException;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.workspace.GadgetFolder;
import dev.gadget.model.TurnId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One directory of files and its states, kept as commits in a repository of the drone's own, so that nothing which the person's
 * repository configures is run and nothing is written there. Files are kept byte for byte; what git ignores is kept only once a
 * tool is about to write it.
 */
final class Tree {
    private static final Logger LOG = Logger.getLogger(Tree.class);

    /** Where a turn stands: as it was before its first write, and as it was at its end. */
    enum Moment {
        BEFORE,
        AFTER
    }

    private static final long MAX_FILE_BYTES = 20L << 20;
    private static final int MAX_FILES = 100_000;
    private static final int KEPT_TURNS = 60;
    private static final String NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

    /** No filter, no line ends: what is kept is what was there. It wins over any .gitattributes of the files. */
    private static final String ATTRIBUTES = "* -text -eol -filter -ident -working-tree-encoding\n";

    private static final String LOOK = "look";
    private static final Duration LOOKS_WITHIN = Duration.ofSeconds(5);

    private static final String LEFT_OUT = "/.gadget/\nnode_modules/\ntarget/\n.gadget-*.tmp\n";

    private final Path root;
    private final Path store;
    private final Git git;

    Tree(Path root, Path store) {
        this(root, store, Git.in(root));
    }

    /** @param inRoot git in the directory of the files, with the bounds that hold for it */
    Tree(Path root, Path store, Git inRoot) {
        this.root = root;
        this.store = store;
        git = inRoot.with("GIT_DIR", store.toString())
                .with("GIT_WORK_TREE", root.toString())
                .with("GIT_INDEX_FILE", store.resolve("index").toString())
                .with("GIT_CONFIG_GLOBAL", "/dev/null")
                .with("GIT_AUTHOR_NAME", "gadget")
                .with("GIT_AUTHOR_EMAIL", "gadget@localhost")
                .with("GIT_COMMITTER_NAME", "gadget")
                .with("GIT_COMMITTER_EMAIL", "gadget@localhost")
                .within(Duration.ofMinutes(2));
    }

    Path root() {
        return root;
    }

    /** One file that differs between two states; a side is null where the file is not there. */
    record Changed(
            String path, @Nullable Side before, @Nullable Side after) {}

    /** A file in a state: its git mode and the name of its content. */
    record Side(String mode, String blob) {
        boolean link() {
            return mode.equals("120000");
        }

        boolean executable() {
            return mode.equals("100755");
        }
    }

    boolean has(TurnId turn, Moment moment) {
        return Files.isDirectory(store)
                && git.run("rev-parse", "--verify", "--quiet", ref(turn, moment))
                        .ok();
    }

    /**
     * Takes the present state in, for {@link #keep} to keep; the repositories below, which are not part of it, are returned.
     *
     * @param touched what belongs to it although git ignores it
     */
    List<Path> takeIn(Collection<String> touched) {
        create();
        try {
            // Of one that was killed: there is one drone here, and it takes in one state after the other.
            Files.deleteIfExists(store.resolve("index.lock"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return update(git, touched);
    }

    /**
     * The name of the present state, which is looked at beside what was taken in for {@link #keep}.
     *
     * @param anew whether it begins with what was taken in, and not with what the last look saw
     */
    String present(boolean anew, CancelSignal cancel) {
        try {
            if (anew) {
                Path taken = store.resolve("index");
                Path seen = store.resolve(LOOK).resolve("index");
                Files.createDirectories(store.resolve(LOOK).resolve("objects"));
                // Of one that was killed.
                Files.deleteIfExists(store.resolve(LOOK).resolve("index.lock"));
                Files.deleteIfExists(seen);
                if (Files.exists(taken)) {
                    // Git tells by the time of an index what may have changed just after it.
                    Files.copy(taken, seen, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Git look = looking(cancel);
        update(look, List.of());
        return look.ask("write-tree").text().strip();
    }

    /** What looks write is apart, because nothing keeps it. */
    private Git looking(CancelSignal cancel) {
        Path look = store.resolve(LOOK);
        return git.with("GIT_INDEX_FILE", look.resolve("index").toString())
                .with("GIT_OBJECT_DIRECTORY", look.resolve("objects").toString())
                .with(
                        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                        store.resolve("objects").toString())
                .within(LOOKS_WITHIN)
                .stoppedBy(cancel);
    }

    /** The unified diff of two states that were looked at, cut at a number of bytes. */
    Git.Answer diff(String from, String to, String prefix, int maxBytes, CancelSignal cancel) {
        return diff(looking(cancel), from, to, prefix, maxBytes);
    }

    /** What stays of them takes room, and no more: no state is lost for it. */
    private void forgetLooks() {
        try {
            GadgetFolder.removeAll(store.resolve(LOOK));
        } catch (IOException e) {
            LOG.infof("what looks wrote is removed with the next state: %s", e.getMessage());
        }
    }

    /** Keeps what was taken in last. */
    void keep(TurnId turn, Moment moment) {
        forgetLooks();
        commit(turn, moment, moment == Moment.BEFORE ? List.of() : touched(turn));
    }

    /** A tool is about to write this file: it belongs to the state before, also when git ignores it. */
    void touch(TurnId turn, String path) {
        List<String> known = touched(turn);
        if (known.contains(path)
                || !git.ask("ls-files", "-z", "--", literal(path)).items().isEmpty()) {
            return;
        }
        List<String> all = new ArrayList<>(known);
        all.add(path);
        if (Files.exists(root.resolve(path), LinkOption.NOFOLLOW_LINKS)) {
            git.input(path + "\0").ask("update-index", "-z", "--add", "--replace", "--stdin");
        }
        commit(turn, Moment.BEFORE, all);
    }

    private static String literal(String path) {
        return ":(literal)" + path;
    }

    void forget(TurnId turn) {
        for (Moment moment : Moment.values()) {
            git.run("update-ref", "-d", ref(turn, moment));
        }
        git.run("update-ref", "-d", undone(turn));
    }

    boolean isUndone(TurnId turn) {
        return git.run("rev-parse", "--verify", "--quiet", undone(turn)).ok();
    }

    void markUndone(TurnId turn, boolean now) {
        if (now) {
            git.ask("update-ref", undone(turn), ref(turn, Moment.BEFORE));
        } else {
            git.run("update-ref", "-d", undone(turn));
        }
    }

    /** What differs between the two states of a turn. */
    List<Changed> changes(TurnId turn) {
        List<String> items = all(git.ask(
                "diff-tree",
                "-r",
                "-z",
                "--raw",
                "--no-renames",
                "--no-abbrev",
                ref(turn, Moment.BEFORE),
                ref(turn, Moment.AFTER)));
        List<Changed> changes = new ArrayList<>();
        for (int i = 0; i + 1 < items.size(); i += 2) {
            String[] fields = items.get(i).substring(1).split(" ");
            changes.add(new Changed(items.get(i + 1), side(fields[0], fields[2]), side(fields[1], fields[3])));
        }
        return changes;
    }

    private static @Nullable Side side(String mode, String blob) {
        return mode.equals("000000") ? null : new Side(mode, blob);
    }

    /** Added and removed lines by path, as git counts them: {@code added TAB removed TAB path}, with {@code -} for what is not text. */
    List<String> counts(TurnId turn) {
        return all(git.ask(
                "diff-tree",
                "-r",
                "-z",
                "--numstat",
                "--no-renames",
                ref(turn, Moment.BEFORE),
                ref(turn, Moment.AFTER)));
    }

    /** A list that is cut names some of the files only, and undo would take the others for what the turn made. */
    private static List<String> all(Git.Answer answer) {
        if (answer.cut()) {
            throw new GitFailedException("there are more files than can be kept");
        }
        return answer.items();
    }

    /** The unified diff, cut at a number of bytes. */
    Git.Answer diff(TurnId turn, String prefix, int maxBytes) {
        return diff(git, ref(turn, Moment.BEFORE), ref(turn, Moment.AFTER), prefix, maxBytes);
    }

    private static Git.Answer diff(Git git, String from, String to, String prefix, int maxBytes) {
        return git.atMost(maxBytes)
                .ask(
                        "diff",
                        "--no-color",
                        "--no-ext-diff",
                        "--no-textconv",
                        "--no-renames",
                        "--src-prefix=a/" + prefix,
                        "--dst-prefix=b/" + prefix,
                        from,
                        to);
    }

    byte[] content(Side side) {
        return git.atMost((int) MAX_FILE_BYTES + 1)
                .ask("cat-file", "blob", side.blob())
                .output();
    }

    /** Lets go of the oldest turns, and of what only they need. */
    void tidy() {
        List<String> turns = new ArrayList<>(new LinkedHashSet<>(
                git.ask("for-each-ref", "--sort=committerdate", "--format=%(refname)", "refs/gadget")
                        .text()
                        .lines()
                        .map(name -> name.substring(0, name.lastIndexOf('/')))
                        .toList()));
        if (turns.size() <= KEPT_TURNS + KEPT_TURNS / 2) {
            return;
        }
        for (String old : turns.subList(0, turns.size() - KEPT_TURNS)) {
            forget(new TurnId(old.substring(old.lastIndexOf('/') + 1)));
        }
        git.run("gc", "--quiet", "--prune=now");
    }

    private void create() {
        if (Files.exists(store.resolve("HEAD"))) {
            return;
        }
        try {
            Files.createDirectories(store);
            Git.in(root).with("GIT_CONFIG_GLOBAL", "/dev/null").ask("init", "--quiet", "--bare", store.toString());
            Files.createDirectories(store.resolve("info"));
            Files.writeString(store.resolve("info/attributes"), ATTRIBUTES);
            Files.writeString(store.resolve("info/exclude"), LEFT_OUT);
            git.ask("config", "core.autocrlf", "false");
            git.ask("config", "core.symlinks", "true");
            git.ask("config", "gc.auto", "0");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Path> update(Git git, Collection<String> touched) {
        List<Path> repositories = new ArrayList<>();
        Set<String> paths = new LinkedHashSet<>(touched);
        for (String path :
                all(git.ask("ls-files", "-z", "-o", "-m", "-d", "--exclude-standard", "--exclude=/.gadget/"))) {
            if (path.endsWith("/")) {
                repositories.add(root.resolve(path));
            } else {
                paths.add(path);
            }
        }
        if (paths.size() > MAX_FILES) {
            throw new GitFailedException("there are more than " + MAX_FILES + " files");
        }
        StringBuilder input = new StringBuilder();
        paths.stream().filter(this::isKept).forEach(path -> input.append(path).append('\0'));
        if (!input.isEmpty()) {
            git.input(input.toString()).ask("update-index", "-z", "--add", "--remove", "--replace", "--stdin");
        }
        return repositories;
    }

    /**
     * What is gone is kept as gone; a directory in the place of a file is another entry. What cannot be read is left out: git
     * would end at it, and keep none of the others.
     */
    private boolean isKept(String path) {
        Path file = root.resolve(path);
        try {
            return Files.isSymbolicLink(file)
                    || !Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    || (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                            && Files.isReadable(file)
                            && Files.size(file) <= MAX_FILE_BYTES);
        } catch (IOException e) {
            return false;
        }
    }

    private void commit(TurnId turn, Moment moment, List<String> touched) {
        String tree = git.ask("write-tree").text().strip();
        String message = String.join("\n", touched.stream().map(Tree::escaped).toList());
        String commit =
                git.input(message).ask("commit-tree", tree, "-F", "-").text().strip();
        git.ask("update-ref", ref(turn, moment), commit);
    }

    /** The paths that were written although git ignores them, from the message of the first state. */
    List<String> touched(TurnId turn) {
        Git.Answer answer = git.run("log", "-1", "--format=%B", ref(turn, Moment.BEFORE));
        return !answer.ok()
                ? List.of()
                : answer.text()
                        .lines()
                        .filter(line -> !line.isBlank())
                        .map(Tree::plain)
                        .toList();
    }

    private static String escaped(String path) {
        return "=" + path.replace("%", "%25").replace("\n", "%0A").replace("\r", "%0D");
    }

    private static String plain(String line) {
        return line.substring(1).replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
    }

    private static String ref(TurnId turn, Moment moment) {
        return "refs/gadget/" + turn.value() + "/" + (moment == Moment.BEFORE ? "before" : "after");
    }

    private static String undone(TurnId turn) {
        return "refs/gadget/" + turn.value() + "/undone";
    }

    /** The name that git gives to this content. */
    static String blob(byte[] content) {
        try {
            var digest = MessageDigest.getInstance("SHA-1");
            digest.update(("blob " + content.length + "\0").getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What stands at a path now; empty when nothing does. */
    Optional<Side> now(String path) throws IOException {
        Path file = root.resolve(path);
        if (Files.isSymbolicLink(file)) {
            return Optional.of(new Side(
                    "120000", blob(Files.readSymbolicLink(file).toString().getBytes(StandardCharsets.UTF_8))));
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        if (Files.size(file) > MAX_FILE_BYTES) {
            return Optional.of(new Side("100644", NOTHING));
        }
        return Optional.of(new Side(Files.isExecutable(file) ? "100755" : "100644", blob(Files.readAllBytes(file))));
    }
}
