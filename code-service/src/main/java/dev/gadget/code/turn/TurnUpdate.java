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
    private final boolean over;
    private final List<TurnChange> changes;
    private final boolean more;
    private volatile @Nullable List<String> rendered;

    /** @param over whether nothing follows after these steps */
    public TurnUpdate(Cursor cursor, TurnStatus status, boolean over, List<TurnChange> changes) {
        this(cursor, status, over, changes, false);
    }

    /** @param more whether the reader lacks more than this, which it gets by asking again at once */
    TurnUpdate(Cursor cursor, TurnStatus status, boolean over, List<TurnChange> changes, boolean more) {
        this.cursor = cursor;
        this.status = status;
        this.over = over;
        this.changes = List.copyOf(changes);
        this.more = more;
    }

    /** Whether these steps are a piece of what is missing, and the next one can be had at once. */
    public boolean more() {
        return more;
    }

    /** Where the reader stands after these steps. */
    public Cursor cursor() {
        return cursor;
    }

    /** How the turn stands after these steps. */
    public TurnStatus status() {
        return status;
    }

    /** Whether nothing follows after these steps: it has ended, and is not one that was interrupted and may go on. */
    public boolean over() {
        return over;
    }

    public List<TurnChange> changes() {
        return changes;
    }

    /** How much text they bring to what the reader has, in UTF-16 units. */
    int textLength() {
        int length = 0;
        for (TurnChange change : changes) {
            length += switch (change) {
                case TurnChange.TextDelta more -> more.text().length();
                case TurnChange.ToolOutput more -> more.text().length();
                default -> 0;
            };
        }
        return length;
    }

    /** Each step as JSON, made by {@code render} for the first reader and kept for the others. */
    public List<String> rendered(Function<TurnChange, String> render) {
        List<String> known = rendered;
        if (known == null) {
            known = changes.stream().map(render).toList();
            rendered = known;
        }
        return known;
    }
}
