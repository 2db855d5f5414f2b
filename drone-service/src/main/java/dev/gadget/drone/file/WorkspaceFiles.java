package dev.gadget.drone.file;

import dev.gadget.drone.policy.PageRules;
import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.ProtectedNames;
import dev.gadget.drone.policy.SafeEntries;
import dev.gadget.drone.policy.SafeFiles;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.file.EntryType;
import dev.gadget.model.file.FileAnswer;
import dev.gadget.model.file.FileQuestion;
import dev.gadget.model.file.FileVersion;
import dev.gadget.model.file.FolderEntry;
import dev.gadget.model.file.GitStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Answers what people ask about the files of a workspace. Safe to be asked by several threads: changes come one after the other. */
public final class WorkspaceFiles {
    private static final int MAX_ENTRIES = 2000;
    private static final int MAX_READ = 50_000;
    private static final int MAX_NAME_CHARS = 100_000;
    private static final Comparator<FolderEntry> FOLDERS_FIRST = Comparator.comparing(
                    (FolderEntry entry) -> entry.type() != EntryType.FOLDER)
            .thenComparing(FolderEntry::name, String.CASE_INSENSITIVE_ORDER)
            .thenComparing(FolderEntry::name);

    private final Supplier<WorkspaceMode> mode;
    private final ReentrantLock changing = new ReentrantLock();
    private final FoundFiles finds = new FoundFiles();

    /** Who may write is asked before each change. */
    public WorkspaceFiles(Supplier<WorkspaceMode> mode) {
        this.mode = mode;
    }

    /** Whether this only looks at files, without saying how they differ from what was. */
    public static boolean looks(FileQuestion question) {
        return switch (question) {
            case FileQuestion.ListFolder _, FileQuestion.FindFiles _, FileQuestion.ReadFile _ -> true;
            case FileQuestion.ListChanges _,
                    FileQuestion.ReadDiff _,
                    FileQuestion.CommitChanges _,
                    FileQuestion.WriteFile _,
                    FileQuestion.CreateEntry _,
                    FileQuestion.RenameEntry _,
                    FileQuestion.DeleteEntry _ -> false;
        };
    }

    /** The answer to a question about files where the work of this workspace is, {@code text} being what came before it. */
    public Reply answer(Workspace workspace, FileQuestion question, String text) throws InterruptedException {
        try {
            return switch (question) {
                case FileQuestion.ListFolder list -> list(workspace, list.path());
                case FileQuestion.FindFiles find -> finds.find(workspace, find);
                case FileQuestion.ReadFile read -> read(workspace, read.path());
                case FileQuestion.ListChanges _ -> new GitChanges(workspace).list();
                case FileQuestion.ReadDiff diff -> new GitChanges(workspace).diff(diff.path());
                case FileQuestion.CommitChanges commit ->
                    alone(() -> {
                        allow(PageRules.of(workspace).refusal("git commit"));
                        return new GitCommit(workspace).commit(commit.paths(), text);
                    });
                case FileQuestion.WriteFile write -> alone(() -> write(workspace, write, text));
                case FileQuestion.CreateEntry create -> alone(() -> create(workspace, create, text));
                case FileQuestion.RenameEntry rename ->
                    alone(() -> {
                        Path from = workspace.toChange(rename.path());
                        Path to = workspace.toChange(rename.to());
                        allow(PageRules.of(workspace).refusal(from, to));
                        SafeEntries.move(workspace, from, to);
                        return Reply.of(new FileAnswer.EntriesChanged());
                    });
                case FileQuestion.DeleteEntry delete ->
                    alone(() -> {
                        Path place = workspace.toChange(delete.path());
                        allow(PageRules.of(workspace).refusal(List.of(place)));
                        SafeEntries.delete(workspace, place);
                        return Reply.of(new FileAnswer.EntriesChanged());
                    });
            };
        } catch (ForbiddenException e) {
            return Reply.refused(FailureCode.FORBIDDEN, String.valueOf(e.getMessage()));
        } catch (PathRefusedException e) {
            return Reply.refused(FailureCode.INVALID_FIELD, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return refused(e);
        }
    }

    /** The owner of the machine does not want it. */
    private static final class ForbiddenException extends IOException {
        private static final long serialVersionUID = 1L;

        ForbiddenException(String message) {
            super(message);
        }
    }

    private static void allow(Optional<String> refusal) throws ForbiddenException {
        if (refusal.isPresent()) {
            throw new ForbiddenException(refusal.get());
        }
    }

    private interface Change {
        Reply make() throws IOException;
    }

    /** A prompt may end the person's time while this runs; the order that comes then has read nothing yet. */
    private Reply alone(Change change) throws IOException {
        changing.lock();
        try {
            return switch (mode.get()) {
                case USER -> change.make();
                case AGENT ->
                    Reply.refused(
                            FailureCode.WORKSPACE_LOCKED,
                            "The agent works in this workspace. Wait for the end of its turn, or cancel it.");
                case IDLE ->
                    Reply.refused(
                            FailureCode.WORKSPACE_LOCKED,
                            "Nobody has taken this workspace to write in it, or the time for it is over. Take it over first.");
            };
        } finally {
            changing.unlock();
        }
    }

    private static Reply refused(IOException e) {
        String path = e instanceof FileSystemException about ? "`" + about.getFile() + "`" : "it";
        return switch (e) {
            case NoSuchFileException _ ->
                Reply.refused(FailureCode.NOT_FOUND, "There is no " + path + " in the workspace. It may be gone.");
            case FileAlreadyExistsException _ ->
                Reply.refused(FailureCode.CONFLICT, "There is " + path + " already. Choose another name.");
            case NotDirectoryException _ -> Reply.refused(FailureCode.INVALID_FIELD, path + " is not a folder.");
            case AccessDeniedException _ ->
                Reply.refused(
                        FailureCode.FORBIDDEN, "The drone's user on its machine may not do this with " + path + ".");
            default ->
                Reply.refused(
                        FailureCode.WORKSPACE_UNUSABLE, "The file system of the drone refuses it: " + e.getMessage());
        };
    }

    private static Reply list(Workspace workspace, String path) throws IOException, InterruptedException {
        Path folder = workspace.toRead(path);
        if (Files.isRegularFile(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new NotDirectoryException(workspace.show(folder));
        }
        List<SafeEntries.Entry> found = SafeEntries.list(workspace, folder, MAX_READ).stream()
                .filter(entry -> isShown(entry.name()))
                .toList();
        Map<String, GitStatus> statuses = new GitChanges(workspace)
                .of(
                        workspace.show(folder),
                        found.stream().map(SafeEntries.Entry::name).toList());
        List<FolderEntry> entries = new ArrayList<>(found.stream()
                .map(entry -> shown(workspace, folder, entry, statuses))
                .sorted(FOLDERS_FIRST)
                .toList());
        int count = 0;
        for (int chars = 0; count < Math.min(entries.size(), MAX_ENTRIES); count++) {
            chars += entries.get(count).name().length();
            if (chars > MAX_NAME_CHARS) {
                break;
            }
        }
        return Reply.of(new FileAnswer.FolderListed(
                entries.subList(0, count), count == entries.size() && found.size() < MAX_READ));
    }

    private static boolean isShown(String name) {
        Path path = Path.of(name);
        return !ProtectedNames.isPrivate(path) && !ProtectedNames.isGitInternal(path);
    }

    private static FolderEntry shown(
            Workspace workspace, Path folder, SafeEntries.Entry entry, Map<String, GitStatus> statuses) {
        BasicFileAttributes attributes = entry.attributes();
        EntryType type = attributes.isSymbolicLink()
                ? behind(workspace, folder.resolve(entry.name()))
                : type(attributes.isDirectory(), attributes.isRegularFile());
        return new FolderEntry(
                entry.name(), type, attributes.isRegularFile() ? attributes.size() : null, statuses.get(entry.name()));
    }

    private static EntryType type(boolean folder, boolean file) {
        return folder ? EntryType.FOLDER : file ? EntryType.FILE : EntryType.OTHER;
    }

    private static EntryType behind(Workspace workspace, Path link) {
        try {
            Path place = workspace.toRead(workspace.show(link));
            return Files.exists(place, LinkOption.NOFOLLOW_LINKS)
                    ? type(Files.isDirectory(place), Files.isRegularFile(place))
                    : EntryType.LINK;
        } catch (PathRefusedException e) {
            return EntryType.LINK;
        }
    }

    private static Reply read(Workspace workspace, String path) throws IOException {
        Path file = workspace.toRead(path);
        requireNoFolder(workspace, file);
        Content content = Content.read(workspace, file);
        return new Reply(new FileAnswer.FileRead(named(content.version(), path)), content.text());
    }

    private static void requireNoFolder(Workspace workspace, Path file) {
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new PathRefusedException("`" + workspace.show(file) + "` is a folder, not a file.");
        }
    }

    private static Reply write(Workspace workspace, FileQuestion.WriteFile write, String text) throws IOException {
        byte[] bytes = bytes(text);
        Path file = workspace.toWrite(write.path());
        requireNoFolder(workspace, file);
        allow(PageRules.of(workspace).refusal(List.of(file)));
        Content present;
        try {
            present = Content.read(workspace, file);
        } catch (NoSuchFileException e) {
            return Reply.of(new FileAnswer.FileConflict(null));
        }
        if (!Objects.equals(present.version().sha256(), write.expectedSha256())) {
            return new Reply(new FileAnswer.FileConflict(named(present.version(), write.path())), present.text());
        }
        SafeFiles.write(workspace, file, bytes);
        return Reply.of(
                new FileAnswer.FileWritten(Content.of(write.path(), bytes).version()));
    }

    /** As it was asked for: the place may be another one behind a link. */
    private static FileVersion named(FileVersion version, String path) {
        return new FileVersion(path, version.kind(), version.size(), version.sha256());
    }

    private static Reply create(Workspace workspace, FileQuestion.CreateEntry create, String text) throws IOException {
        Path place = workspace.toChange(create.path());
        allow(PageRules.of(workspace).refusal(List.of(place)));
        return switch (create.entryType()) {
            case FOLDER -> {
                SafeEntries.createFolder(workspace, place);
                yield Reply.of(new FileAnswer.EntriesChanged());
            }
            case FILE -> {
                byte[] bytes = bytes(text);
                SafeEntries.createFile(workspace, place, bytes);
                yield Reply.of(new FileAnswer.FileWritten(
                        Content.of(create.path(), bytes).version()));
            }
            case LINK, OTHER ->
                throw new PathRefusedException("Only files and folders can be made here, not a "
                        + create.entryType().name().toLowerCase(Locale.ROOT) + ".");
        };
    }

    private static byte[] bytes(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > Protocol.MAX_TEXT_BYTES) {
            throw new PathRefusedException("The text is " + bytes.length + " bytes, and at most "
                    + Protocol.MAX_TEXT_BYTES + " are written here.");
        }
        return bytes;
    }
}
