package dev.gadget.code.turn;

import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.turn.TurnStatus;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one reader lacked: the steps in order, and the cursor after them. Readers at the same place share one object, and with it
 * its JSON, so that many of them cost little more than one.
 */
public final class TurnUpdate {
    private final Cursor cursor;
    private final TurnStatus status;
    private final List<TurnChange> changes;
    private volatile @Nullable String rendered;

    public TurnUpdate(Cursor cursor, TurnStatus status, List<TurnChange> changes) {
        this.cursor = cursor;
        this.status = status;
        this.changes = List.copyOf(changes);
    }

    /** Where the reader stands after these steps. */
    public Cursor cursor() {
        return cursor;
    }

    /** How the turn stands after these steps; when it has ended nothing follows. */
    public TurnStatus status() {
        return status;
    }

    public List<TurnChange> changes() {
        return changes;
    }

    /** The text that goes to a page, made by {@code render} for the first reader and kept for the others. */
    public String rendered(Function<TurnUpdate, String> render) {
        String known = rendered;
        if (known == null) {
            known = render.apply(this);
            rendered = known;
        }
        return known;
    }
}
