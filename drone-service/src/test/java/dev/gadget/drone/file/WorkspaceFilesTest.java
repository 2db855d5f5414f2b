package dev.gadget.drone.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.policy.Workspace;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.file.ContentKind;
import dev.gadget.model.file.EntryType;
import dev.gadget.model.file.FileAnswer;
import dev.gadget.model.file.FileQuestion;
import dev.gadget.model.file.FileVersion;
import dev.gadget.model.file.FolderEntry;
import dev.gadget.model.file.GitStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people do with the files of a workspace, on real files. */
class WorkspaceFilesTest {
    private static final String ANY_HASH = "0".repeat(64);

    @TempDir
    Path temporary;

    private final AtomicReference<WorkspaceMode> mode = new AtomicReference<>(WorkspaceMode.USER);
    private Path root;
    private Path outside;
    private WorkspaceFiles files;

    @BeforeEach
    void make() throws IOException {
        root = Files.createDirectories(temporary.resolve("work"));
        outside = Files.createDirectories(temporary.resolve("outside"));
        Files.writeString(outside.resolve("secret.txt"), "secret");
        Files.createDirectories(root.resolve("src/main"));
        Files.createDirectories(root.resolve(".gadget"));
        Files.writeString(root.resolve("src/App.java"), "class App {}\n");
        files = new WorkspaceFiles(mode::get);
    }

    private Reply ask(FileQuestion question) throws Exception {
        return files.answer(new Workspace(root), question, "");
    }

    private FileVersion version(String path) throws Exception {
        return ((FileAnswer.FileRead) ask(new FileQuestion.ReadFile(path)).answer()).file();
    }

    private String hash(String path) throws Exception {
        return Objects.requireNonNull(version(path).sha256());
    }

    private static FailureCode refusal(Reply reply) {
        assertThat(reply.answer()).isInstanceOf(FileAnswer.Refused.class);
        return ((FileAnswer.Refused) reply.answer()).failure().code();
    }

    @Test
    @DisplayName(
            "files are found by a part of their name, wherever they are, the best first; not what git ignores, nor of other sessions")
    void finds() throws Exception {
        Files.writeString(root.resolve(".gitignore"), "built/\n");
        for (String path : List.of(
                "src/main/java/deep/TurnDocument.java",
                "src/TheTurnDocs.md",
                "src/turndoc.txt",
                "built/TurnDoc.class",
                ".gadget/turndoc",
                ".worktrees/shop-1/TurnDoc.java")) {
            Files.createDirectories(root.resolve(path).getParent());
            Files.writeString(root.resolve(path), "x");
        }

        assertThat(ask(new FileQuestion.FindFiles(".", "TurnDoc")).answer())
                .isEqualTo(new FileAnswer.FilesFound(
                        List.of("src/turndoc.txt", "src/main/java/deep/TurnDocument.java", "src/TheTurnDocs.md"),
                        true));
        assertThat(ask(new FileQuestion.FindFiles("src/main", "turndoc")).answer())
                .isEqualTo(new FileAnswer.FilesFound(List.of("src/main/java/deep/TurnDocument.java"), true));
        assertThat(ask(new FileQuestion.FindFiles(".worktrees/shop-1", "turndoc"))
                        .answer())
                .isEqualTo(new FileAnswer.FilesFound(List.of(".worktrees/shop-1/TurnDoc.java"), true));
        assertThat(refusal(ask(new FileQuestion.FindFiles("none", "turndoc")))).isEqualTo(FailureCode.INVALID_FIELD);
        assertThat(refusal(ask(new FileQuestion.FindFiles("../outside", "secret"))))
                .isEqualTo(FailureCode.INVALID_FIELD);
    }

    @Test
    @DisplayName("of very many that fit some are told, and that there are more")
    void findsMany() throws Exception {
        for (int i = 0; i < 60; i++) {
            Files.writeString(root.resolve("src/many-" + i + ".txt"), "x");
        }
        var found = (FileAnswer.FilesFound)
                ask(new FileQuestion.FindFiles(".", "many")).answer();
        assertThat(found.paths()).hasSize(50);
        assertThat(found.complete()).isFalse();
    }

    @Test
    @DisplayName("a folder is listed folders first, without .git and .gadget; links count as what they lead to")
    void lists() throws Exception {
        TestRepository.of(root);
        Files.writeString(root.resolve("b.txt"), "b");
        Files.createSymbolicLink(root.resolve("in"), Path.of("src"));
        Files.createSymbolicLink(root.resolve("out"), outside);

        var listed =
                (FileAnswer.FolderListed) ask(new FileQuestion.ListFolder(".")).answer();
        // Where git takes long, the folder is told without what it says.
        for (int tries = 1;
                tries < 20 && listed.entries().stream().allMatch(entry -> entry.status() == null);
                tries++) {
            listed = (FileAnswer.FolderListed)
                    ask(new FileQuestion.ListFolder(".")).answer();
        }

        assertThat(listed.complete()).isTrue();
        assertThat(listed.entries())
                .containsExactly(
                        new FolderEntry("in", EntryType.FOLDER, null, GitStatus.UNTRACKED),
                        new FolderEntry("src", EntryType.FOLDER, null, null),
                        new FolderEntry("b.txt", EntryType.FILE, 1L, GitStatus.UNTRACKED),
                        new FolderEntry("out", EntryType.LINK, null, GitStatus.UNTRACKED));
    }

    @Test
    @DisplayName("more names than are shown are cut, and it is said")
    void listsManyNames() throws Exception {
        for (int i = 0; i < 2001; i++) {
            Files.createFile(root.resolve("src/main/" + i));
        }

        var listed = (FileAnswer.FolderListed)
                ask(new FileQuestion.ListFolder("src/main")).answer();

        assertThat(listed.entries()).hasSize(2000);
        assertThat(listed.complete()).isFalse();
    }

    @Test
    @DisplayName("a text is read with its hash, byte by byte; what is no UTF-8, or too long, is said without one")
    void reads() throws Exception {
        Files.writeString(root.resolve("odd.txt"), "\uFEFFone\r\ntwo\n😀");
        Files.write(root.resolve("image"), new byte[] {1, 0, 2});
        Files.write(root.resolve("latin1"), "Käse".getBytes(StandardCharsets.ISO_8859_1));
        Files.write(root.resolve("long"), new byte[Protocol.MAX_TEXT_BYTES + 1]);

        Reply odd = ask(new FileQuestion.ReadFile("odd.txt"));

        assertThat(odd.text()).isEqualTo(Files.readString(root.resolve("odd.txt")));
        assertThat(hash("src/App.java")).isEqualTo("7857929bc003002041fc53ce4fc1b50753a888a667ec0fbd797bc5af02866432");
        assertThat(version("image").kind()).isEqualTo(ContentKind.BINARY);
        assertThat(version("latin1").kind()).isEqualTo(ContentKind.BINARY);
        assertThat(version("long"))
                .isEqualTo(new FileVersion("long", ContentKind.TOO_LARGE, Protocol.MAX_TEXT_BYTES + 1, null));
    }

    @Test
    @DisplayName("a file that is still the known one is written; another one is a conflict with its text")
    void writes() throws Exception {
        Path file = root.resolve("src/App.java");
        String before = hash("src/App.java");

        Reply written = files.answer(new Workspace(root), new FileQuestion.WriteFile("src/App.java", before), "mine\n");
        Reply conflict =
                files.answer(new Workspace(root), new FileQuestion.WriteFile("src/App.java", before), "yours\n");
        Files.delete(file);
        Reply gone = files.answer(new Workspace(root), new FileQuestion.WriteFile("src/App.java", before), "yours\n");

        var now = ((FileAnswer.FileWritten) written.answer()).file();
        assertThat(now.size()).isEqualTo(5);
        assertThat(conflict).isEqualTo(new Reply(new FileAnswer.FileConflict(now), "mine\n"));
        assertThat(gone).isEqualTo(new Reply(new FileAnswer.FileConflict(null), ""));
        assertThat(file).doesNotExist();
    }

    @Test
    @DisplayName("the mode of a file stays when it is written")
    void keepsMode() throws Exception {
        Path file = root.resolve("src/App.java");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));

        files.answer(new Workspace(root), new FileQuestion.WriteFile("src/App.java", hash("src/App.java")), "mine\n");

        assertThat(file).hasContent("mine\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rwxr-x---");
    }

    @Test
    @DisplayName("nothing is changed unless a person has the workspace; reading goes on")
    void onlyInModeUser() throws Exception {
        String hash = hash("src/App.java");
        for (WorkspaceMode not : new WorkspaceMode[] {WorkspaceMode.IDLE, WorkspaceMode.AGENT}) {
            mode.set(not);
            assertThat(refusal(
                            files.answer(new Workspace(root), new FileQuestion.WriteFile("src/App.java", hash), "x")))
                    .isEqualTo(FailureCode.WORKSPACE_LOCKED);
            assertThat(refusal(ask(new FileQuestion.CreateEntry("new", EntryType.FILE))))
                    .isEqualTo(FailureCode.WORKSPACE_LOCKED);
            assertThat(refusal(ask(new FileQuestion.RenameEntry("src", "lib"))))
                    .isEqualTo(FailureCode.WORKSPACE_LOCKED);
            assertThat(refusal(ask(new FileQuestion.DeleteEntry("src")))).isEqualTo(FailureCode.WORKSPACE_LOCKED);
        }
        assertThat(version("src/App.java").sha256()).isEqualTo(hash);
        assertThat(root.resolve("new")).doesNotExist();
    }

    @Test
    @DisplayName("files and folders are made where there is nothing, renamed to where there is nothing, and removed")
    void changesEntries() throws Exception {
        files.answer(new Workspace(root), new FileQuestion.CreateEntry("docs/deep/a.md", EntryType.FILE), "# A\n");
        ask(new FileQuestion.CreateEntry("docs/empty", EntryType.FOLDER));
        assertThat(refusal(ask(new FileQuestion.CreateEntry("docs/deep/a.md", EntryType.FILE))))
                .isEqualTo(FailureCode.CONFLICT);
        assertThat(refusal(ask(new FileQuestion.CreateEntry("docs/empty", EntryType.FOLDER))))
                .isEqualTo(FailureCode.CONFLICT);
        assertThat(refusal(ask(new FileQuestion.CreateEntry("docs/link", EntryType.LINK))))
                .isEqualTo(FailureCode.INVALID_FIELD);

        assertThat(refusal(ask(new FileQuestion.RenameEntry("docs/deep/a.md", "src/App.java"))))
                .isEqualTo(FailureCode.CONFLICT);
        assertThat(refusal(ask(new FileQuestion.RenameEntry("docs", "docs/inner"))))
                .isEqualTo(FailureCode.INVALID_FIELD);
        assertThat(refusal(ask(new FileQuestion.RenameEntry("nothing", "x")))).isEqualTo(FailureCode.NOT_FOUND);
        ask(new FileQuestion.RenameEntry("docs/deep", "kept/here"));
        assertThat(root.resolve("kept/here/a.md")).hasContent("# A\n");

        Files.createSymbolicLink(root.resolve("kept/out"), outside);
        ask(new FileQuestion.DeleteEntry("kept"));
        assertThat(root.resolve("kept")).doesNotExist();
        assertThat(outside.resolve("secret.txt"))
                .as("a link is removed, not what it leads to")
                .exists();
        assertThat(refusal(ask(new FileQuestion.DeleteEntry("kept")))).isEqualTo(FailureCode.NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../outside/secret.txt",
                "/etc/passwd",
                "out/secret.txt",
                "secret",
                ".gadget/workspace.json",
                "src/../.gadget/credential.json",
                "~/.ssh/id_rsa",
                "a\0b"
            })
    @DisplayName(
            "A9: nothing outside the workspace, and nothing of the drone's own, is read, written, made, moved or removed")
    void staysInside(String path) throws Exception {
        Files.createSymbolicLink(root.resolve("out"), outside);
        Files.createSymbolicLink(root.resolve("secret"), outside.resolve("secret.txt"));
        Files.writeString(root.resolve(".gadget/workspace.json"), "{}");
        Files.createDirectories(root.resolve(".git"));

        assertThat(refusal(ask(new FileQuestion.ReadFile(path)))).isEqualTo(FailureCode.INVALID_FIELD);
        assertThat(refusal(ask(new FileQuestion.ListFolder(path)))).isEqualTo(FailureCode.INVALID_FIELD);
        assertThat(refusal(files.answer(new Workspace(root), new FileQuestion.WriteFile(path, ANY_HASH), "x")))
                .isEqualTo(FailureCode.INVALID_FIELD);
        if (!path.equals("secret")) {
            assertThat(refusal(ask(new FileQuestion.DeleteEntry(path)))).isEqualTo(FailureCode.INVALID_FIELD);
            assertThat(refusal(ask(new FileQuestion.RenameEntry("src", path)))).isEqualTo(FailureCode.INVALID_FIELD);
        }
        assertThat(refusal(ask(new FileQuestion.CreateEntry(".git/hooks/pre-commit", EntryType.FILE))))
                .isEqualTo(FailureCode.INVALID_FIELD);
        assertThat(refusal(ask(new FileQuestion.DeleteEntry(".git")))).isEqualTo(FailureCode.INVALID_FIELD);
        assertThat(refusal(ask(new FileQuestion.DeleteEntry(".")))).isEqualTo(FailureCode.INVALID_FIELD);
        assertThat(outside.resolve("secret.txt")).hasContent("secret");
    }

    @Test
    @DisplayName("a folder is no file, and a file no folder")
    void wrongKind() throws Exception {
        assertThat(refusal(ask(new FileQuestion.ReadFile("src")))).isEqualTo(FailureCode.INVALID_FIELD);
        assertThat(refusal(ask(new FileQuestion.ListFolder("src/App.java")))).isEqualTo(FailureCode.INVALID_FIELD);
        assertThat(refusal(ask(new FileQuestion.ReadFile("gone")))).isEqualTo(FailureCode.NOT_FOUND);
        assertThat(refusal(ask(new FileQuestion.ListFolder("gone")))).isEqualTo(FailureCode.NOT_FOUND);
    }

    private void policy(String json) throws IOException {
        Files.writeString(root.resolve(".gadget/policy.json"), json);
    }

    private String forbidden(FileQuestion question) throws Exception {
        Reply reply = files.answer(new Workspace(root), question, "changed");
        assertThat(refusal(reply)).as(question.toString()).isEqualTo(FailureCode.FORBIDDEN);
        return ((FileAnswer.Refused) reply.answer()).failure().message();
    }

    @Test
    @DisplayName("A33: where the owner of the machine says read-only, nothing is written from the page")
    void readOnly() throws Exception {
        String hash = hash("src/App.java");
        policy("{\"approvals\":\"read_only\"}");
        for (FileQuestion question : List.of(
                new FileQuestion.WriteFile("src/App.java", hash),
                new FileQuestion.CreateEntry("new.txt", EntryType.FILE),
                new FileQuestion.CreateEntry("new", EntryType.FOLDER),
                new FileQuestion.RenameEntry("src", "source"),
                new FileQuestion.DeleteEntry("src/App.java"),
                new FileQuestion.CommitChanges(List.of("src/App.java")))) {
            assertThat(forbidden(question)).contains("read-only", ".gadget/policy.json");
        }
        assertThat(Files.readString(root.resolve("src/App.java"))).isEqualTo("class App {}\n");
        assertThat(ask(new FileQuestion.ReadFile("src/App.java")).answer()).isInstanceOf(FileAnswer.FileRead.class);
    }

    @Test
    @DisplayName("A33: what a rule of the machine's owner denies is not changed from the page, in whatever way")
    void denied() throws Exception {
        for (String path : List.of("db/schema.sql", "x/schema.sql")) {
            Files.createDirectories(root.resolve(path).getParent());
            Files.writeString(root.resolve(path), "x");
        }
        Files.createSymbolicLink(root.resolve("link"), Path.of("db/schema.sql"));
        String hash = hash("db/schema.sql");
        policy("{\"rules\":[{\"action\":\"deny\",\"path\":\"db/**\"},{\"action\":\"deny\",\"path\":\".envrc\"},"
                + "{\"action\":\"deny\",\"command\":\"git commit *\"},{\"action\":\"ask\",\"path\":\"x/**\"}]}");
        for (FileQuestion question : List.of(
                new FileQuestion.WriteFile("db/schema.sql", hash),
                new FileQuestion.WriteFile("link", hash),
                new FileQuestion.CreateEntry("db/new.sql", EntryType.FILE),
                new FileQuestion.RenameEntry("db", "y"),
                new FileQuestion.RenameEntry("x", "db/x"),
                new FileQuestion.DeleteEntry("db"),
                new FileQuestion.DeleteEntry("db/schema.sql"),
                new FileQuestion.CreateEntry("src/.envrc", EntryType.FILE),
                new FileQuestion.CommitChanges(List.of("x/schema.sql")))) {
            assertThat(forbidden(question)).contains("rule", ".gadget/policy.json");
        }
        assertThat(Files.readString(root.resolve("db/schema.sql"))).isEqualTo("x");
        assertThat(files.answer(new Workspace(root), new FileQuestion.WriteFile("x/schema.sql", hash), "mine")
                        .answer())
                .as("who writes in the page is not asked once more")
                .isInstanceOf(FileAnswer.FileWritten.class);
    }

    @Test
    @DisplayName("A33: a policy that cannot be read does not pass for none")
    void brokenPolicy() throws Exception {
        policy("{");
        assertThat(forbidden(new FileQuestion.CreateEntry("new.txt", EntryType.FILE)))
                .contains("policy.json");
    }
}
