package dev.gadget.code.store;

import dev.gadget.code.turn.StoredBlock;
import dev.gadget.code.turn.TurnRecord;
import dev.gadget.model.DroneId;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.TurnStatus;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keeps turns and their blocks: a block is a document of its own, found by a range of ids. */
public interface TurnArchive {
    /** Stores a new turn. */
    void insert(TurnRecord turn);

    Optional<TurnRecord> find(TurnId id);

    /** The turns of a session, oldest first, without their blocks. */
    List<TurnRecord> ofSession(SessionId session);

    /** At most so many turns of a session, newest first, without their blocks: the latest, or those older than {@code before}. */
    List<TurnRecord> latest(SessionId session, @Nullable TurnRecord before, int limit);

    /** All turns in these statuses, for recovery at start. */
    List<TurnRecord> inStatus(Set<TurnStatus> statuses);

    /** At most so many interrupted turns whose drone, which is this one, may still take them up as far as the store knows. */
    List<TurnRecord> interrupted(DroneId drone, int limit);

    /**
     * Stores a changed turn with its version raised by one; {@code CHANGED_MEANWHILE} when the stored version is
     * another, or the stored fence is higher.
     */
    void replace(TurnRecord turn);

    /** Stores blocks, new or grown, durably before it returns; the same call again changes nothing. */
    void putBlocks(TurnId turn, Collection<StoredBlock> blocks);

    /** {@link #putBlocks} and then {@link #replace} of many turns; false when not every turn could be replaced, whichever it was. */
    boolean putAll(Map<TurnRecord, ? extends Collection<StoredBlock>> changed);

    /** The blocks of a turn in their order. */
    List<StoredBlock> blocks(TurnId turn);

    /** The same without those of subagents, which can be by far the most. */
    List<StoredBlock> ownBlocks(TurnId turn);

    /** All blocks without what they say: no text, and of calls neither parameters nor output, response or diff. */
    List<StoredBlock> outlines(TurnId turn);

    /** Removes one turn with its blocks. */
    void delete(TurnId turn);

    /** Removes the turns of a session with their blocks. */
    void deleteOfSession(SessionId session);
}
