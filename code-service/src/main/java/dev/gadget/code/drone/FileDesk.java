package dev.gadget.code.drone;

import dev.gadget.code.RefusedException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.FileApi.ChangesView;
import dev.gadget.model.api.FileApi.CommitView;
import dev.gadget.model.api.FileApi.DiffView;
import dev.gadget.model.api.FileApi.FileView;
import dev.gadget.model.api.FileApi.FolderView;
import dev.gadget.model.api.FileApi.FoundView;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.file.ContentKind;
import dev.gadget.model.file.EntryType;
import dev.gadget.model.file.FileAnswer;
import dev.gadget.model.file.FileQuestion;
import dev.gadget.model.file.FileVersion;
import dev.gadget.model.file.TextParts;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The files of a session's workspace: nothing of them is here, its drone is asked each time. */
@ApplicationScoped
class FileDesk {
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(15);
    private static final int MAX_PATH = 4096;
    private static final int SHORTEST_NAME = 2;
    private static final int LONGEST_NAME = 255;
    private static final int MAX_MESSAGE = 20_000;
    private static final int MAX_PATHS = 2_000;
    private static final int MAX_PATHS_CHARS = 100_000;

    private final WorkspaceDesk workspaces;
    private final DroneQuestions questions;

    FileDesk(WorkspaceDesk workspaces, DroneQuestions questions) {
        this.workspaces = workspaces;
        this.questions = questions;
    }

    /** How saving a file ended. */
    sealed interface Saved {
        /** It is written. */
        record Done(FileView file) implements Saved {}

        /** It is another one by now, or gone, and was left alone. */
        record Conflict(@Nullable FileView current) implements Saved {}
    }

    private record Heard(FileAnswer answer, String text) {}

    FolderView list(UserId owner, SessionId id, String path) {
        var listed = (FileAnswer.FolderListed) ask(owner, id, new FileQuestion.ListFolder(path("path", path)), "")
                .answer();
        return new FolderView(path, listed.entries(), listed.complete());
    }

    FoundView find(UserId owner, SessionId id, String path, String name) {
        if (name.length() < SHORTEST_NAME
                || name.length() > LONGEST_NAME
                || name.codePoints().anyMatch(one -> one == '/' || Character.isISOControl(one))) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "name has to be " + SHORTEST_NAME + " to " + LONGEST_NAME
                            + " characters of a file's name, without a slash, but has " + name.length() + ".",
                    "name");
        }
        var question = new FileQuestion.FindFiles(path("path", path), name);
        WorkspaceDesk.Place place = workspaces.place(owner, id);
        // It is asked with each letter, and a drone from before it never answers: nothing else waits for it, and it for
        // nothing.
        Semaphore one = place.drone().findPlace();
        if (!one.tryAcquire()) {
            return new FoundView(name, List.of(), false);
        }
        try {
            var found = (FileAnswer.FilesFound) ask(place, id, question, "").answer();
            return new FoundView(name, found.paths(), found.complete());
        } finally {
            one.release();
        }
    }

    FileView read(UserId owner, SessionId id, String path) {
        Heard heard = ask(owner, id, new FileQuestion.ReadFile(path("path", path)), "");
        return view(((FileAnswer.FileRead) heard.answer()).file(), heard.text());
    }

    Saved save(UserId owner, SessionId id, String path, String text, String expectedSha256) {
        if (!expectedSha256.matches("[0-9a-f]{64}")) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "expectedSha256 has to be the 64 hexadecimal digits that reading the file gave.",
                    "expectedSha256");
        }
        var write = new FileQuestion.WriteFile(path("path", path), expectedSha256);
        Heard heard = ask(owner, id, write, checked(text));
        if (heard.answer() instanceof FileAnswer.FileConflict conflict) {
            return new Saved.Conflict(Optional.ofNullable(conflict.file())
                    .map(file -> view(file, heard.text()))
                    .orElse(null));
        }
        return new Saved.Done(view(((FileAnswer.FileWritten) heard.answer()).file(), text));
    }

    /** The new file; nothing for a folder. */
    Optional<FileView> create(UserId owner, SessionId id, String path, EntryType type, @Nullable String text) {
        if (type != EntryType.FILE && (type != EntryType.FOLDER || text != null)) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD, "type has to be 'file', or 'folder' and then without a text.", "type");
        }
        String content = text == null ? "" : checked(text);
        Heard heard = ask(owner, id, new FileQuestion.CreateEntry(path("path", path), type), content);
        return heard.answer() instanceof FileAnswer.FileWritten written
                ? Optional.of(view(written.file(), content))
                : Optional.empty();
    }

    void rename(UserId owner, SessionId id, String path, String to) {
        ask(owner, id, new FileQuestion.RenameEntry(path("path", path), path("to", to)), "");
    }

    void delete(UserId owner, SessionId id, String path) {
        ask(owner, id, new FileQuestion.DeleteEntry(path("path", path)), "");
    }

    ChangesView changes(UserId owner, SessionId id) {
        var listed = (FileAnswer.ChangesListed)
                ask(owner, id, new FileQuestion.ListChanges(), "").answer();
        return new ChangesView(listed.repository(), listed.files(), listed.complete());
    }

    DiffView diff(UserId owner, SessionId id, @Nullable String path) {
        Heard heard = ask(owner, id, new FileQuestion.ReadDiff(path == null ? null : path("path", path)), "");
        var read = (FileAnswer.DiffRead) heard.answer();
        return new DiffView(read.repository(), heard.text(), read.complete());
    }

    CommitView commit(UserId owner, SessionId id, String message, List<String> paths) {
        if (message.isBlank() || message.length() > MAX_MESSAGE) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "The message has to have 1 to " + MAX_MESSAGE + " characters, but has " + message.length() + ".",
                    "message");
        }
        int chars = paths.stream().mapToInt(String::length).sum();
        if (paths.isEmpty() || paths.size() > MAX_PATHS || chars > MAX_PATHS_CHARS) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "A commit takes 1 to " + MAX_PATHS + " files, whose paths have at most " + MAX_PATHS_CHARS
                            + " characters together; these are " + paths.size() + " with " + chars + ".",
                    "paths");
        }
        paths.forEach(path -> path("paths", path));
        var committed =
                (FileAnswer.ChangesCommitted) ask(owner, id, new FileQuestion.CommitChanges(paths), checked(message))
                        .answer();
        return new CommitView(committed.commit());
    }

    private Heard ask(UserId owner, SessionId id, FileQuestion question, String text) {
        WorkspaceDesk.Place place = workspaces.place(owner, id);
        DroneConnection connection = place.drone();
        if (!placed(connection)) {
            throw new RefusedException(
                    FailureCode.DRONE_BUSY, "Too much is asked of this drone's files at once. Try again in a moment.");
        }
        try {
            return ask(place, id, question, text);
        } finally {
            connection.filePlaces().release();
        }
    }

    private Heard ask(WorkspaceDesk.Place place, SessionId id, FileQuestion question, String text) {
        var answer = questions.ask(place.drone(), ANSWERS_WITHIN, request -> {
            List<DroneCommand> commands = new ArrayList<>();
            TextParts.of(text).forEach(part -> commands.add(new DroneCommand.FileText(request, part)));
            commands.add(new DroneCommand.AskFiles(request, question, text.length(), place.project(), id));
            return commands;
        });
        var answered = answer.as(DroneEvent.FilesAnswered.class);
        if (answered.answer() instanceof FileAnswer.Refused refused) {
            throw new RefusedException(
                    refused.failure().code(), refused.failure().message());
        }
        return checked(question, answered, answer.text());
    }

    private static boolean placed(DroneConnection connection) {
        try {
            return connection.filePlaces().tryAcquire(ANSWERS_WITHIN.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A drone that answers something else than it was asked, or not with its whole text, did not answer. */
    private static Heard checked(FileQuestion question, DroneEvent.FilesAnswered answered, String text) {
        FileAnswer answer = answered.answer();
        boolean fits = switch (question) {
            case FileQuestion.ListFolder _ -> answer instanceof FileAnswer.FolderListed;
            case FileQuestion.FindFiles _ -> answer instanceof FileAnswer.FilesFound;
            case FileQuestion.ReadFile _ -> answer instanceof FileAnswer.FileRead;
            case FileQuestion.WriteFile _ ->
                answer instanceof FileAnswer.FileWritten || answer instanceof FileAnswer.FileConflict;
            case FileQuestion.CreateEntry _ ->
                answer instanceof FileAnswer.FileWritten || answer instanceof FileAnswer.EntriesChanged;
            case FileQuestion.RenameEntry _, FileQuestion.DeleteEntry _ -> answer instanceof FileAnswer.EntriesChanged;
            case FileQuestion.ListChanges _ -> answer instanceof FileAnswer.ChangesListed;
            case FileQuestion.ReadDiff _ -> answer instanceof FileAnswer.DiffRead;
            case FileQuestion.CommitChanges _ -> answer instanceof FileAnswer.ChangesCommitted;
        };
        if (!fits || text.length() != answered.textLength()) {
            throw new RefusedException(FailureCode.DRONE_LOST, "The drone's answer did not arrive whole. Try again.");
        }
        return new Heard(answer, text);
    }

    private static FileView view(FileVersion file, String text) {
        return new FileView(
                file.path(), file.kind(), file.size(), file.sha256(), file.kind() == ContentKind.TEXT ? text : null);
    }

    private static String path(String field, String path) {
        if (path.isEmpty() || path.length() > MAX_PATH || path.codePoints().anyMatch(Character::isISOControl)) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "The " + field + " has to be one line of 1 to " + MAX_PATH
                            + " characters, relative to where the session works.",
                    field);
        }
        return path;
    }

    private static String checked(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD, "The text holds half of a character (an unpaired surrogate).", "text");
        }
        if (text.indexOf('\0') >= 0) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "The text holds a NUL character, and would be no text any more.",
                    "text");
        }
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        if (length > Protocol.MAX_TEXT_BYTES) {
            throw new RefusedException(
                    FailureCode.PAYLOAD_TOO_LARGE,
                    "The text is " + length + " bytes, and a file of at most " + Protocol.MAX_TEXT_BYTES
                            + " is written here.",
                    "text");
        }
        return text;
    }
}
