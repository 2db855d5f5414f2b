package dev.gadget.drone.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gadget.drone.file.TestRepository;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.workspace.KeptProjects;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProjectId;
import dev.gadget.model.SessionId;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.ProjectState;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class ProjectsTest {
    @TempDir
    Path directory;

    @TempDir
    Path elsewhere;

    private final KeptProjects book = new KeptProjects();
    private final List<String> lines = new ArrayList<>();
    private final CancelSignal cancel = new CancelSignal();
    private final SessionId session = new SessionId("abcdef12-0000-0000-0000-000000000000");
    private final ProjectId id = ProjectId.random();
    private TestRepository source;
    private Path root;

    @BeforeEach
    void setUp() throws Exception {
        root = directory.toRealPath();
        Files.createDirectory(root.resolve(".gadget"));
        Files.writeString(root.resolve(".gadget/policy.json"), "{\"cloneFromFiles\":true}");
        Path at = Files.createDirectory(elsewhere.resolve("source"));
        Files.writeString(at.resolve("a.txt"), "one\n");
        source = TestRepository.of(at);
    }

    private Projects projects() throws Exception {
        return projects(Projects.CLONE_LIMIT);
    }

    private Projects projects(Duration limit) throws Exception {
        return new Projects(new Workspace(root), book, limit);
    }

    private ProjectRef project(boolean worktree) {
        return project("file://" + source.directory(), worktree);
    }

    private ProjectRef project(@Nullable String url, boolean worktree) {
        return new ProjectRef(id, "shop", url, worktree);
    }

    private Path cloned() throws Exception {
        projects().clone(project(false), lines::add, cancel);
        return root.resolve("shop");
    }

    private void commit(Path repository, String name, String text) throws Exception {
        Files.writeString(repository.resolve(name), text);
        var there = new TestRepository(repository);
        there.git("add", "--all");
        there.git("commit", "-q", "-m", name);
    }

    private String git(Path at, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(at.toFile())
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).strip();
    }

    private List<Path> left(String folder) throws Exception {
        try (Stream<Path> found = Files.list(root.resolve(folder))) {
            return found.toList();
        }
    }

    @Test
    @DisplayName(
            "S1-63: a project is cloned whole into its directory, with progress, and is in the book; nothing is left beside it")
    void clones() throws Exception {
        assertThat(projects().isMissing(project(false))).isTrue();
        Path shop = cloned();
        assertThat(shop.resolve("a.txt")).hasContent("one\n");
        assertThat(git(shop, "status", "--short", "--branch")).isEqualTo("## trunk...origin/trunk");
        assertThat(String.join("", lines))
                .contains("Cloning into", "Receiving objects: 100%")
                .doesNotContain("\r");
        assertThat(book.find("shop")).get().satisfies(known -> {
            assertThat(known.id()).isEqualTo(id);
            assertThat(known.lastSyncAt()).isNull();
        });
        assertThat(left(".gadget/clones")).isEmpty();
        assertThat(projects().isMissing(project(false))).isFalse();
    }

    @Test
    @DisplayName("a repository without commits is cloned, too")
    void clonesNothing() throws Exception {
        Path empty = Files.createDirectory(elsewhere.resolve("empty"));
        new TestRepository(empty).git("init", "-q", "--bare");
        projects().clone(project("file://" + empty, false), lines::add, cancel);
        assertThat(root.resolve("shop/.git")).isDirectory();
    }

    @ParameterizedTest
    @DisplayName("A11: addresses that git would run or take as an option are refused, by the drone itself")
    @ValueSource(
            strings = {
                "ext::sh -c touch% /tmp/pwned",
                "ext::sh",
                "--upload-pack=touch /tmp/pwned",
                "-oProxyCommand=touch",
                "ssh://-oProxyCommand=touch/x",
                "ssh://-oProxyCommand=touch@host/x",
                "-u@host:x",
                "git@-oProxyCommand=x:y",
                "git@host:-x",
                "http://127.0.0.1/x.git",
                "git://127.0.0.1/x.git",
                "fd::7",
                "https://user:secret@host/x.git",
                "https://host/x.git?y",
                "https://host",
                "ftp://host/x",
                "/etc",
                "../x",
                "file://host/x",
                "https://host/x\n.git",
                ""
            })
    void refusesAddresses(String url) throws Exception {
        var refused = catchThrowableOfType(
                ProjectFailedException.class, () -> projects().clone(project(url, false), lines::add, cancel));
        assertThat(refused.code()).isEqualTo(FailureCode.INVALID_FIELD);
        assertThat(refused).hasMessageContaining("refused").hasMessageNotContaining("secret");
        assertThat(root.resolve("shop")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".git", ".gadget", "a/b", "A", "", "-x", "a--b"})
    @DisplayName("a slug that is no name of a directory of its own is refused")
    void refusesSlugs(String slug) {
        var project = new ProjectRef(id, slug, "https://host/x.git", null);
        assertThatThrownBy(() -> projects().isMissing(project)).isInstanceOf(ProjectFailedException.class);
    }

    @Test
    @DisplayName("files of this machine are cloned only when its owner allows it")
    void refusesFiles() throws Exception {
        Files.delete(root.resolve(".gadget/policy.json"));
        assertThatThrownBy(this::cloned).hasMessageContaining("cloneFromFiles");
        assertThat(root.resolve("shop")).doesNotExist();
    }

    @Test
    @DisplayName("a clone that fails says what git said and what to do, and leaves nothing")
    void failsClearly() throws Exception {
        var failed = catchThrowableOfType(
                ProjectFailedException.class,
                () -> projects().clone(project("file://" + elsewhere + "/none", false), lines::add, cancel));
        assertThat(failed.code()).isEqualTo(FailureCode.GIT_FAILED);
        assertThat(failed)
                .hasMessageContaining("does not appear to be a git repository")
                .hasMessageContaining("git clone file://");
        assertThat(root.resolve("shop")).doesNotExist();
        assertThat(left(".gadget/clones")).isEmpty();
    }

    @Test
    @DisplayName("a clone that hangs is ended by cancel and by its limit, with all that git started")
    void endsWhatHangs() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            ProjectRef slow = project("https://127.0.0.1:" + mute.getLocalPort() + "/x.git", false);
            ProjectRef hangs = project("https://127.0.0.1:" + silent.getLocalPort() + "/x.git", false);
            var late = catchThrowableOfType(
                    ProjectFailedException.class,
                    () -> projects(Duration.ofSeconds(1)).clone(slow, lines::add, cancel));
            assertThat(late).hasMessageContaining("took longer");
            Thread.ofVirtual().start(() -> {
                try {
                    silent.accept();
                } catch (java.io.IOException e) {
                    return;
                }
                cancel.cancel();
            });
            var stopped = catchThrowableOfType(
                    ProjectFailedException.class, () -> projects().clone(hangs, lines::add, cancel));
            assertThat(stopped.code()).isEqualTo(FailureCode.CANCELLED);
            assertThat(ProcessHandle.current()
                            .descendants()
                            .filter(ProcessHandle::isAlive)
                            .map(process -> process.info().commandLine().orElse("")))
                    .noneMatch(command -> command.contains(":" + silent.getLocalPort())
                            || command.contains(":" + mute.getLocalPort()));
        }
        assertThat(left(".gadget/clones")).isEmpty();
        assertThat(root.resolve("shop")).doesNotExist();
    }

    @Test
    @DisplayName("what a crash left of a clone goes with the next one, and a directory that is there is kept as it is")
    void removesLeftOvers() throws Exception {
        Files.createDirectories(root.resolve(".gadget/clones/old/clone/.git"));
        Path shop = cloned();
        assertThat(left(".gadget/clones")).isEmpty();
        Files.writeString(shop.resolve("mine.txt"), "mine");
        assertThat(projects().isMissing(project(false))).isFalse();
        assertThat(projects().open(project(false), session, "s").base()).isEqualTo(shop);
        assertThat(shop.resolve("mine.txt")).exists();
    }

    @Test
    @DisplayName("A11: a repository's submodules, filters and links get nothing to run and lead nowhere")
    void hostileRepository() throws Exception {
        Path proof = elsewhere.resolve("pwned");
        Path at = source.directory();
        Files.writeString(at.resolve(".gitattributes"), "* filter=evil diff=evil\n");
        Files.writeString(
                at.resolve(".gitmodules"),
                "[submodule \"x\"]\n\tpath = x\n\turl = ext::sh -c touch% " + proof + "\n\tupdate = !touch " + proof
                        + "\n");
        Files.createSymbolicLink(at.resolve("link"), Path.of("/etc"));
        commit(at, "b.txt", "two\n");
        Path shop = cloned();
        assertThat(shop.resolve("b.txt")).hasContent("two\n");
        assertThat(proof).doesNotExist();
        assertThat(git(shop, "config", "--local", "--list")).doesNotContain("filter", "submodule.x");
        Workspace workspace = projects().open(project(false), session, "s");
        assertThatThrownBy(() -> workspace.toRead("link/passwd")).hasMessageContaining("outside");
    }

    @Test
    @DisplayName("a directory that leads elsewhere, or holds another project, is not worked in")
    void refusesOtherDirectories() throws Exception {
        Files.createSymbolicLink(root.resolve("shop"), elsewhere);
        assertThatThrownBy(() -> projects().open(project(false), session, "s")).hasMessageContaining("leads elsewhere");
        Files.delete(root.resolve("shop"));
        cloned();
        var other = new ProjectRef(ProjectId.random(), "shop", "https://host/other.git", null);
        assertThatThrownBy(() -> projects().open(other, session, "s")).hasMessageContaining("holds another project");
    }

    @Test
    @DisplayName(
            "S1-63: a clone of another address than the project's is not worked in and not synced, until its remote says so, too")
    void anotherAddress() throws Exception {
        Path shop = cloned();
        String before = git(shop, "rev-parse", "HEAD");
        Path at = Files.createDirectory(elsewhere.resolve("moved"));
        Files.writeString(at.resolve("b.txt"), "two\n");
        var moved = project("file://" + TestRepository.of(at).directory(), false);

        assertThatThrownBy(() -> projects().open(moved, session, "s"))
                .isInstanceOfSatisfying(ProjectFailedException.class, ProjectsTest::isConflict)
                .hasMessageContainingAll(
                        "`shop` in the workspace is a clone of file://" + source.directory(),
                        "address of the project is " + moved.gitUrl() + " now",
                        "git remote set-url origin " + moved.gitUrl(),
                        "move `shop` out of the workspace");
        assertThatThrownBy(() -> projects().sync(moved, session, cancel))
                .isInstanceOfSatisfying(ProjectFailedException.class, ProjectsTest::isConflict)
                .hasMessageContaining("is a clone of");
        assertThatThrownBy(() -> projects().look(moved, session, false, null))
                .isInstanceOfSatisfying(ProjectFailedException.class, ProjectsTest::isConflict)
                .hasMessageContaining("is a clone of");
        assertThat(git(shop, "rev-parse", "HEAD", "origin/trunk")).isEqualTo(before + "\n" + before);

        git(shop, "remote", "set-url", "origin", String.valueOf(moved.gitUrl()));
        assertThat(projects().open(moved, session, "s").base()).isEqualTo(shop);
        assertThat(book.find("shop"))
                .get()
                .satisfies(known -> assertThat(known.gitUrl()).isEqualTo(moved.gitUrl()));
    }

    /** The person can resolve it: whoever looks or syncs is answered 409. */
    private static void isConflict(ProjectFailedException refused) {
        assertThat(refused.code()).isEqualTo(FailureCode.CONFLICT);
    }

    @Test
    @DisplayName("S1-63: a project that has lost its address is not worked on beside its clone")
    void addressTakenAway() throws Exception {
        Path shop = cloned();
        Path tree = projects().open(project(true), session, "s").base();
        var without = new ProjectRef(id, "shop", null, true);

        assertThatThrownBy(() -> projects().open(without, session, "s"))
                .isInstanceOfSatisfying(ProjectFailedException.class, ProjectsTest::isConflict)
                .hasMessageContainingAll("no git address any more", "clone of file://", "move `shop` out");
        assertThat(projects().forget(without, session))
                .contains("`.worktrees/shop-abcdef12` is removed; its branch stays.");
        assertThat(tree).doesNotExist();

        Files.move(shop, elsewhere.resolve("shop"));
        assertThat(projects().open(project(null, false), session, "s").base()).isEqualTo(root);
        assertThat(projects()
                        .open(new ProjectRef(ProjectId.random(), "other", null, null), session, "s")
                        .base())
                .isEqualTo(root);
    }

    @Test
    @DisplayName(
            "each session has its worktree and branch; relative paths begin there, and nothing leads out of the workspace")
    void worktrees() throws Exception {
        Path shop = cloned();
        Workspace one = projects().open(project(true), session, "Mend the Cärt!");
        Workspace other = projects().open(project(true), new SessionId("99999999-1"), "x");
        assertThat(one.base()).isEqualTo(root.resolve(".worktrees/shop-abcdef12"));
        assertThat(git(one.base(), "branch", "--show-current")).isEqualTo("gadget/abcdef12-mend-the-cart");
        assertThat(git(other.base(), "branch", "--show-current")).isEqualTo("gadget/99999999-x");
        assertThat(one.toRead("a.txt")).isEqualTo(one.base().resolve("a.txt")).exists();
        assertThat(one.show(shop.resolve("a.txt"))).isEqualTo("../../shop/a.txt");
        assertThat(one.toRead("../../shop/a.txt")).isEqualTo(shop.resolve("a.txt"));
        assertThatThrownBy(() -> one.toRead("../../../x")).hasMessageContaining("outside");
        assertThat(one.inProject(one.base().resolve("db/x"))).isEqualTo(Path.of("db/x"));
        assertThat(one.inWorkspace(one.base().resolve("db/x"))).isEqualTo(Path.of("shop/db/x"));
        Files.writeString(one.base().resolve("a.txt"), "changed\n");
        assertThat(projects().open(project(true), session, "other name").base()).isEqualTo(one.base());
        assertThat(one.base().resolve("a.txt")).hasContent("changed\n");
        assertThat(git(shop, "status", "--short")).isEmpty();
    }

    @Test
    @DisplayName("a worktree that a crash left half is made again; one that was removed by hand goes on at its branch")
    void halfWorktree() throws Exception {
        Path shop = cloned();
        Path base = projects().open(project(true), session, "s").base();
        commit(base, "work.txt", "work");
        Files.writeString(shop.resolve(".git/worktrees/shop-abcdef12/locked"), "initializing");
        Files.delete(base.resolve("a.txt"));
        assertThat(projects().open(project(true), session, "s").base().resolve("a.txt"))
                .hasContent("one\n");
        assertThat(base.resolve("work.txt")).hasContent("work");
        assertThat(shop.resolve(".git/worktrees/shop-abcdef12/locked")).doesNotExist();
        assertThat(new ProcessBuilder("rm", "-rf", base.toString()).start().waitFor())
                .isZero();
        assertThat(projects().open(project(true), session, "s").base().resolve("work.txt"))
                .hasContent("work");
    }

    @Test
    @DisplayName(
            "the worktree of a session that is gone is removed, its branch stays; one with something uncommitted stays whole")
    void forgotten() throws Exception {
        Path shop = cloned();
        Path base = projects().open(project(true), session, "s").base();
        Path proof = elsewhere.resolve("pwned");
        git(shop, "config", "filter.evil.clean", "touch " + proof + "; cat");
        Files.writeString(base.resolve(".gitattributes"), "* filter=evil\n");
        assertThat(projects().forget(project(true), session))
                .hasValueSatisfying(note -> assertThat(note).startsWith("`.worktrees/shop-abcdef12` stays: "));
        assertThat(base.resolve(".gitattributes")).exists();
        assertThat(proof).as("A11").doesNotExist();

        Files.delete(base.resolve(".gitattributes"));
        commit(base, "new.txt", "kept");
        assertThat(projects().forget(project(true), session))
                .contains("`.worktrees/shop-abcdef12` is removed; its branch stays.");
        assertThat(base).doesNotExist();
        assertThat(git(shop, "show", "gadget/abcdef12-s:new.txt")).contains("kept");
        assertThat(projects().forget(project(true), session)).isEmpty();
        assertThat(projects().forget(project(false), session)).isEmpty();
    }

    @Test
    @DisplayName(
            "S1-63: the worktree of a session is removed also when nobody knows its project any more, of the right session only")
    void forgottenWithoutProject() throws Exception {
        cloned();
        var other = new SessionId("fedcba98-0000-0000-0000-000000000000");
        Path base = projects().open(project(true), session, "s").base();
        Path others = projects().open(project(true), other, "o").base();
        assertThat(projects().forget(null, session))
                .contains("`.worktrees/shop-abcdef12` is removed; its branch stays.");
        assertThat(base).doesNotExist();
        assertThat(others.resolve("a.txt")).exists();
        assertThat(projects().forget(null, session)).isEmpty();
    }

    @Test
    @DisplayName("A11: a worktree is made without filters and hooks of the repository")
    void hostileWorktree() throws Exception {
        Path proof = elsewhere.resolve("pwned");
        Path at = source.directory();
        Files.writeString(at.resolve(".gitattributes"), "* filter=evil\n");
        commit(at, "b.txt", "two\n");
        Path shop = cloned();
        git(shop, "config", "filter.evil.smudge", "touch " + proof + "; cat");
        git(shop, "config", "filter.evil.required", "true");
        git(shop, "config", "core.fsmonitor", "touch " + proof);
        Path hook = shop.resolve(".git/hooks/post-checkout");
        Files.createDirectories(shop.resolve(".git/hooks"));
        Files.writeString(hook, "#!/bin/sh\ntouch " + proof + "\n");
        assertThat(hook.toFile().setExecutable(true)).isTrue();
        assertThat(projects().open(project(true), session, "s").base().resolve("b.txt"))
                .hasContent("two\n");
        assertThat(proof).doesNotExist();
        git(shop, "worktree", "add", elsewhere.resolve("by-itself").toString());
        assertThat(proof).as("git by itself runs it").exists();
    }

    @Test
    @DisplayName("without a git address the workspace itself is the project, and ignores the worktrees in it")
    void worktreeOfWorkspace() throws Exception {
        var project = new ProjectRef(id, "shop", null, true);
        assertThatThrownBy(() -> projects().open(project, session, "s")).hasMessageContaining("no git repository");
        Files.writeString(root.resolve(".gitignore"), ".gadget/\n");
        TestRepository.of(root);
        Workspace workspace = projects().open(project, session, "s");
        assertThat(workspace.home()).isEqualTo(root);
        assertThat(workspace.base()).isEqualTo(root.resolve(".worktrees/shop-abcdef12"));
        assertThat(git(root, "status", "--short")).isEmpty();
    }

    @Test
    @DisplayName("a sync fetches, prunes, and goes forward where that loses nothing")
    void syncs() throws Exception {
        source.git("branch", "old");
        Path shop = cloned();
        assertThat(git(shop, "branch", "-r")).contains("origin/old");
        source.git("branch", "-D", "old");
        source.git("tag", "v1");
        commit(source.directory(), "b.txt", "two\n");
        commit(source.directory(), "c.txt", "three\n");
        Files.writeString(shop.resolve("new.txt"), "new");
        assertThat(projects().sync(project(false), session, cancel)).isEqualTo("trunk went forward by 2 commits.");
        assertThat(shop.resolve("c.txt")).hasContent("three\n");
        assertThat(git(shop, "branch", "-r")).doesNotContain("origin/old").contains("origin/HEAD -> origin/trunk");
        assertThat(git(shop, "tag")).isEqualTo("v1");
        ProjectState state = projects().look(project(false), session, false, null);
        assertThat(state.branch()).isEqualTo("trunk");
        assertThat(state.upstream()).isEqualTo("origin/trunk");
        assertThat(state.ahead()).isZero();
        assertThat(state.behind()).isZero();
        assertThat(state.dirty()).isTrue();
        assertThat(state.lastSyncAt()).isNotNull();
        assertThat(projects().sync(project(false), session, cancel)).isEqualTo("trunk has all of origin/trunk.");
        assertThat(git(shop, "fsck", "--strict")).doesNotContain("error", "missing");
        assertThat(left(".gadget")).noneMatch(path -> path.endsWith("fetches"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"cloneFromFiles\":true,\"approvals\":\"read_only\"}",
                "{\"cloneFromFiles\":true,\"rules\":[{\"action\":\"deny\",\"command\":\"git pull *\"}]}"
            })
    @DisplayName("what the owner of the machine denies is not done by a sync, either")
    void syncIsDenied(String policy) throws Exception {
        Path shop = cloned();
        commit(source.directory(), "b.txt", "two\n");
        Files.writeString(root.resolve(".gadget/policy.json"), policy);
        assertThatThrownBy(() -> projects().sync(project(false), session, cancel))
                .isInstanceOfSatisfying(
                        ProjectFailedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(FailureCode.FORBIDDEN))
                .hasMessageContaining(".gadget/policy.json");
        assertThat(git(shop, "branch", "-r", "--contains", "trunk")).contains("origin/trunk");
        assertThat(shop.resolve("b.txt")).doesNotExist();
    }

    @Test
    @DisplayName("a sync says why a branch stays: changes, commits of its own, no upstream")
    void staysBehind() throws Exception {
        Path shop = cloned();
        projects().open(project(true), session, "s");
        commit(source.directory(), "b.txt", "two\n");
        Files.writeString(shop.resolve("a.txt"), "mine\n");
        assertThat(projects().sync(project(false), session, cancel))
                .contains("1 commits behind origin/trunk")
                .contains("not committed");
        assertThat(shop.resolve("a.txt")).hasContent("mine\n");
        ProjectState state = projects().look(project(false), session, false, "a note");
        assertThat(state.behind()).isEqualTo(1);
        assertThat(state.note()).isEqualTo("a note");
        commit(shop, "d.txt", "mine");
        assertThat(projects().sync(project(false), session, cancel)).contains("went different ways");
        assertThat(projects().sync(project(true), session, cancel)).contains("tracks no branch");
        ProjectState worktree = projects().look(project(true), session, false, null);
        assertThat(worktree.directory()).isEqualTo(".worktrees/shop-abcdef12");
        assertThat(worktree.upstream()).isEqualTo("origin/trunk");
        assertThat(worktree.behind()).isEqualTo(1);
        git(shop, "checkout", "-q", "--detach");
        assertThat(projects().sync(project(false), session, cancel)).contains("No branch is checked out");
    }

    @Test
    @DisplayName("A11: a sync uses neither an address nor a command that somebody wrote into the project's repository")
    void hostileSettings() throws Exception {
        Path shop = cloned();
        Path proof = elsewhere.resolve("pwned");
        Path script = elsewhere.resolve("evil.sh");
        Files.writeString(script, "#!/bin/sh\ntouch " + proof + "\nexit 1\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        for (String key : List.of(
                "core.sshCommand",
                "core.askPass",
                "credential.helper",
                "core.gitProxy",
                "remote.origin.uploadpack",
                "core.alternateRefsCommand",
                "gpg.program",
                "core.fsmonitor")) {
            git(shop, "config", key, script.toString());
        }
        git(shop, "config", "remote.origin.url", "ext::" + script);
        git(shop, "config", "url.ext::" + script + ".insteadOf", "file:");
        git(shop, "config", "protocol.ext.allow", "always");
        for (String name : List.of("post-merge", "reference-transaction", "pre-auto-gc", "post-checkout")) {
            Files.createDirectories(shop.resolve(".git/hooks"));
            Files.copy(script, shop.resolve(".git/hooks").resolve(name));
        }
        commit(source.directory(), "b.txt", "two\n");
        assertThat(projects().sync(project(false), session, cancel)).isEqualTo("trunk went forward by 1 commit.");
        assertThat(shop.resolve("b.txt")).hasContent("two\n");
        assertThat(proof).doesNotExist();
        git(shop, "fetch");
        assertThat(proof).as("git by itself runs it").exists();
    }

    @Test
    @DisplayName("a sync that cannot reach the remote changes nothing and says what git said")
    void syncFails() throws Exception {
        Path shop = cloned();
        String before = git(shop, "rev-parse", "HEAD");
        Files.move(source.directory(), elsewhere.resolve("away"));
        assertThatThrownBy(() -> projects().sync(project(false), session, cancel))
                .isInstanceOf(ProjectFailedException.class)
                .hasMessageContaining("does not appear to be a git repository");
        assertThat(git(shop, "rev-parse", "HEAD")).isEqualTo(before);
        assertThatThrownBy(() -> projects().sync(new ProjectRef(id, "shop", null, null), session, cancel))
                .hasMessageContaining("no git address");
    }

    @Test
    @DisplayName(
            "of progress that is written over, one line a second is told; of other lines each, without what steers a terminal")
    void progress() {
        long[] now = {0};
        var text = new ProgressText(lines::add, () -> now[0]);
        for (int i = 1; i <= 100; i++) {
            text.accept("Receiving: " + i + "%\r");
            now[0] += 100_000_000;
        }
        text.accept("\u001b[31mremote: https://u:pw@host/x\u001b[0m\nhalf");
        assertThat(lines).hasSize(11).first().isEqualTo("Receiving: 1%\n");
        assertThat(lines.getLast()).isEqualTo("remote: https://…@host/x\n");
    }
}
