package dev.gadget.drone.link;

import dev.gadget.drone.file.Reply;
import dev.gadget.drone.file.WorkspaceFiles;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.project.ProjectFailedException;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.file.FileAnswer;
import dev.gadget.model.file.FileQuestion;
import dev.gadget.model.file.TextParts;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What people ask about files, apart from the connection's own thread: a few at a time, and the next only when an answer is out, so
 * that a connection which takes little holds little.
 */
final class FileDesk {
    private static final Logger LOG = Logger.getLogger(FileDesk.class);
    private static final int AT_ONCE = 4;
    private static final int MAX_ASKED = 32;

    private final WorkspaceFiles files;
    private final ProjectDesk projects;
    private final Consumer<DroneEvent> say;
    private final Runnable news;
    private final Semaphore places = new Semaphore(AT_ONCE, true);
    private final Map<String, StringBuilder> texts = new HashMap<>();
    private final Deque<Deque<DroneEvent>> answers = new ArrayDeque<>();
    private int asked;
    private int connection;

    FileDesk(WorkspaceFiles files, ProjectDesk projects, Consumer<DroneEvent> say, Runnable news) {
        this.files = files;
        this.projects = projects;
        this.say = say;
        this.news = news;
    }

    /** A part of the text of a question that is still to come. */
    synchronized void heard(DroneCommand.FileText part) {
        if (texts.size() >= MAX_ASKED && !texts.containsKey(part.requestId())) {
            LOG.warn("more texts are sent to this drone than it takes at a time");
            return;
        }
        StringBuilder text = texts.computeIfAbsent(part.requestId(), _ -> new StringBuilder());
        // Of what is longer the rest is not kept: the question is refused, because its text is not whole.
        if (text.length() <= Protocol.MAX_TEXT_BYTES) {
            text.append(part.text());
        }
    }

    /** Answers when it is this question's turn. */
    synchronized void ask(DroneCommand.AskFiles question) {
        StringBuilder before = texts.remove(question.requestId());
        String text = before == null ? "" : before.toString();
        if (text.length() != question.textLength()) {
            refuse(
                    question,
                    FailureCode.FRAME_INVALID,
                    "Of a text of " + question.textLength() + " characters " + text.length() + " arrived. Try again.");
            return;
        }
        if (asked >= MAX_ASKED) {
            refuse(
                    question,
                    FailureCode.DRONE_BUSY,
                    "The drone has " + MAX_ASKED + " questions about files before it. Try again in a moment.");
            return;
        }
        asked++;
        int of = connection;
        Thread.ofVirtual().name("files").start(() -> work(question, text, of));
    }

    private void refuse(DroneCommand.AskFiles question, FailureCode code, String why) {
        say.accept(
                new DroneEvent.FilesAnswered(question.requestId(), new FileAnswer.Refused(new Failure(code, why)), 0));
    }

    private void work(DroneCommand.AskFiles question, String text, int of) {
        try {
            places.acquire();
            boolean held = false;
            try {
                held = answered(of, frames(question.requestId(), reply(question, text)));
            } finally {
                if (!held) {
                    places.release();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Reply reply(DroneCommand.AskFiles asked, String text) throws InterruptedException {
        FileQuestion question = asked.question();
        try {
            Workspace place = projects.place(asked.project(), asked.sessionId(), WorkspaceFiles.looks(question));
            return files.answer(place, question, text);
        } catch (ProjectFailedException e) {
            return Reply.refused(e.code(), String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return Reply.refused(
                    FailureCode.WORKSPACE_UNUSABLE, "The drone's workspace cannot be opened: " + e.getMessage());
        } catch (RuntimeException failure) {
            LOG.error("a question about files cannot be answered", failure);
            return Reply.refused(FailureCode.INTERNAL, "Something went wrong inside the drone. Its log says what.");
        }
    }

    private static Deque<DroneEvent> frames(String request, Reply reply) {
        Deque<DroneEvent> frames = new ArrayDeque<>();
        TextParts.of(reply.text()).forEach(part -> frames.add(new DroneEvent.FileText(request, part)));
        frames.add(new DroneEvent.FilesAnswered(
                request, reply.answer(), reply.text().length()));
        return frames;
    }

    private synchronized boolean answered(int of, Deque<DroneEvent> frames) {
        if (of != connection) {
            return false;
        }
        answers.add(frames);
        news.run();
        return true;
    }

    /** The next part of an answer, of each in turn; null when there is none. */
    synchronized @Nullable DroneEvent next() {
        Deque<DroneEvent> frames = answers.poll();
        if (frames == null) {
            return null;
        }
        DroneEvent next = frames.remove();
        if (frames.isEmpty()) {
            asked--;
            places.release();
        } else {
            answers.add(frames);
        }
        return next;
    }

    /** Nobody waits for these answers any more. */
    synchronized void disconnected() {
        connection++;
        places.release(answers.size());
        answers.clear();
        texts.clear();
        asked = 0;
    }
}
