package dev.gadget.code.store;

import dev.gadget.code.session.ChatSession;
import dev.gadget.code.session.ChatSession.LastTurn;
import dev.gadget.model.ProjectId;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.Usage;
import java.util.List;
import java.util.Optional;

/** Keeps sessions, and holds their locks. */
public interface SessionArchive {
    /** Stores a new one; {@code CONFLICT} when a unique key is taken. */
    void insert(ChatSession session);

    /**
     * Stores a new one that nobody finds before {@link #endInsert}, because what belongs to it is still being stored; {@code CONFLICT} when
     * a unique key is taken.
     */
    void beginInsert(ChatSession session);

    /** From here on its owner finds it; false when it was not there, or was there before. */
    boolean endInsert(UserId owner, SessionId id);

    /** Those whose insertion has begun and not ended. */
    List<ChatSession> beingInserted();

    /** From here on it is one that is being deleted, and its branch key is free; false when its insertion was not going on. */
    boolean abandonInsert(SessionId id);

    /** The one with this id, when it belongs to this person. */
    Optional<ChatSession> find(UserId owner, SessionId id);

    /** The one with this branch key, when it belongs to this person. */
    Optional<ChatSession> branch(UserId owner, String key);

    /** Those of a person, newest first. */
    Slice<ChatSession> list(UserId owner, Optional<String> after, int limit);

    /** How many a person has, with those whose insertion or deletion is going on. */
    long count(UserId owner);

    /** How many of a person work on this project. */
    long countOfProject(UserId owner, ProjectId project);

    /** Stores a changed one with its version raised by one; {@code CHANGED_MEANWHILE} when the stored version is another. */
    void replace(ChatSession session);

    /** From here on nobody finds it, its branch key is free and no turn gets its lock; false when it was not there or belongs to somebody else. */
    boolean beginDelete(UserId owner, SessionId id);

    /** Those whose deletion has begun and not ended. */
    List<ChatSession> beingDeleted();

    /** Removes one whose deletion has begun and not ended, when nothing is left of what belonged to it. */
    void endDelete(SessionId id);

    /** Those whose lock a turn holds. */
    List<ChatSession> locked();

    /** Gives the session of this person in this workspace this name, when no person has chosen one; false when there is none such. */
    boolean entitle(UserId owner, WorkspaceId workspace, SessionId id, String title);

    /** Adds what a model used to name the session of this person in this workspace; false when there is none such. */
    boolean countTitle(UserId owner, WorkspaceId workspace, SessionId id, Usage used);

    /** Gives the session's lock to this turn, atomically; false when another turn holds it. Giving it twice is harmless. */
    boolean claim(SessionId id, TurnId turn);

    /** Takes the lock back from this turn, which has ended like this; nothing happens when another one holds it. */
    void release(SessionId id, TurnId turn, LastTurn ended);

    /** Takes the lock back from this turn; nothing happens when another one holds it. */
    void release(SessionId id, TurnId turn);
}
