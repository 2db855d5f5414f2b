package dev.gadget.code.turn;

import dev.gadget.code.turn.ChangeLog.Kind;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.ToolApproval;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.turn.TurnStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Works out what a reader at a cursor lacks of a document: the missing suffix, in as few steps as there are blocks touched. A long one is
 * given in pieces, each with the cursor after it, so that a reader on a slow line hears something again and again.
 */
final class TurnReading {
    /** About so much text goes into one piece, in UTF-16 units: seconds of a slow line. */
    static final int PIECE_CHARS = 128 << 10;

    private TurnReading() {}

    /** What happened to one block since the cursor. */
    private static final class Touched {
        boolean closed;
        boolean superseded;
        boolean state;
        boolean awaits;
        /** Where what the reader has of its text or output ends; nothing of it is missing when that is past its end. */
        int from = Integer.MAX_VALUE;

        /** The reader has nothing of it. */
        static Touched unseen() {
            var all = new Touched();
            all.closed = true;
            all.superseded = true;
            all.state = true;
            all.awaits = true;
            all.from = 0;
            return all;
        }
    }

    /** The steps from {@code cursor} towards the document as it is now, in this {@code epoch} of it. */
    static TurnUpdate since(TurnDocument document, String epoch, @Nullable Cursor cursor, Instant now) {
        return since(document, epoch, cursor, now, PIECE_CHARS);
    }

    /** The same, in pieces of about so many characters. */
    static TurnUpdate since(TurnDocument document, String epoch, @Nullable Cursor cursor, Instant now, int most) {
        if (cursor == null || !known(document, epoch, cursor)) {
            boolean fits = document.parts.stream().mapToLong(Piece::size).sum() <= most;
            return fits
                    ? new TurnUpdate(end(document, epoch), document.status(), document.over(), whole(document, now))
                    : suffix(document, epoch, null, now, most);
        }
        List<TurnChange> text = onlyText(document, cursor, most);
        return text == null
                ? suffix(document, epoch, cursor, now, most)
                : new TurnUpdate(end(document, epoch), document.status(), document.over(), text);
    }

    /** Where a reader stands that has everything. */
    static Cursor end(TurnDocument document, String epoch) {
        int last = Math.max(0, document.parts.size() - 1);
        return new Cursor(epoch, document.log.revision(), last, length(document, last));
    }

    /** Whether a reader can stand there in this {@code epoch} of the document; if not, it begins with a snapshot. */
    static boolean known(TurnDocument document, String epoch, Cursor cursor) {
        return cursor.epoch().equals(epoch)
                && cursor.revision() <= document.log.revision()
                && cursor.block() <= Math.max(0, document.parts.size() - 1)
                && cursor.offset() <= length(document, cursor.block());
    }

    private static int length(TurnDocument document, int index) {
        return index < document.parts.size()
                ? Piece.grown(document.parts.get(index)).length()
                : 0;
    }

    private static List<TurnChange> whole(TurnDocument document, Instant now) {
        List<TurnChange> changes = new ArrayList<>();
        changes.add(new TurnChange.Snapshot(document.toTurn()));
        for (Part part : document.parts) {
            if (part instanceof Part.Tool tool && tool.asked() instanceof ToolApproval asked) {
                changes.add(Piece.awaiting(tool, asked));
            }
        }
        if (document.retrying(now) instanceof TurnChange.Retrying retrying) {
            changes.add(retrying);
        }
        if (document.growing() instanceof TurnChange.CallGrows growing) {
            changes.add(growing);
        }
        if (document.over()) {
            changes.add(end(document));
        }
        return changes;
    }

    /** What is missing when nothing but text came, which is what nearly every token is; null when more may have happened. */
    private static @Nullable List<TurnChange> onlyText(TurnDocument document, Cursor cursor, int most) {
        int last = document.parts.size() - 1;
        if (cursor.revision() != document.log.revision() || cursor.block() != last) {
            return null;
        }
        int missing = length(document, last) - cursor.offset();
        if (missing == 0) {
            return List.of();
        }
        boolean grows = document.parts.get(last) instanceof Part.Text text
                && text.open()
                && !document.status().ended();
        return grows && missing <= most
                ? List.of(Piece.more((Part.Text) document.parts.get(last), cursor.offset(), length(document, last)))
                : null;
    }

    /** @param cursor null for a reader that has nothing: what it gets first is the turn without its blocks */
    private static TurnUpdate suffix(
            TurnDocument document, String epoch, @Nullable Cursor cursor, Instant now, int most) {
        var touched = new TreeMap<Integer, Touched>();
        Set<Kind> happened = EnumSet.noneOf(Kind.class);
        if (cursor != null) {
            for (ChangeLog.Entry entry : document.log.since(cursor.revision())) {
                happened.add(entry.kind());
                if (entry.index() >= 0) {
                    note(touched.computeIfAbsent(entry.index(), _ -> new Touched()), entry);
                }
            }
        }
        boolean behind = missing(document, cursor, touched);
        var piece = new Piece(document.parts, most);
        if (cursor == null) {
            piece.changes.add(new TurnChange.Snapshot(document.beginning()));
        }
        for (Map.Entry<Integer, Touched> each : touched.entrySet()) {
            Touched what = each.getValue();
            if (!piece.add(each.getKey(), what.state, what.from, what.closed, what.superseded, what.awaits)) {
                break;
            }
        }
        boolean over = document.over();
        around(piece.changes, document, happened, behind && piece.whole(), now);
        if (piece.whole()) {
            if (over && (behind || happened.contains(Kind.END))) {
                piece.changes.add(end(document));
            }
            return new TurnUpdate(end(document, epoch), document.status(), over, piece.changes);
        }
        // A turn ends for its reader when it has all of it.
        return new TurnUpdate(
                new Cursor(epoch, document.log.revision(), piece.block(), piece.offset()),
                over ? TurnStatus.PROCESSING : document.status(),
                false,
                piece.changes,
                true);
    }

    /** Notes what the reader lacks because of its place, and whether that is anything. */
    private static boolean missing(TurnDocument document, @Nullable Cursor cursor, Map<Integer, Touched> touched) {
        int last = document.parts.size() - 1;
        if (cursor != null && cursor.block() <= last) {
            Touched here = touched.computeIfAbsent(cursor.block(), _ -> new Touched());
            here.from = cursor.offset();
            // It may have been closed before the reader had all of it.
            here.closed |= cursor.offset() < length(document, cursor.block());
        }
        for (int index = cursor == null ? 0 : cursor.block() + 1; index <= last; index++) {
            touched.put(index, Touched.unseen());
        }
        return cursor == null || cursor.block() < last || cursor.offset() < length(document, cursor.block());
    }

    /** What happened to the turn as a whole. */
    private static void around(
            List<TurnChange> changes, TurnDocument document, Set<Kind> happened, boolean caughtUp, Instant now) {
        boolean over = document.over();
        // Before what is waited for, which a status ends.
        if (happened.contains(Kind.STATUS) && !over) {
            changes.add(status(document));
        }
        if ((caughtUp || happened.contains(Kind.RETRYING))
                && document.retrying(now) instanceof TurnChange.Retrying retrying) {
            changes.add(retrying);
        }
        if ((caughtUp || happened.contains(Kind.CALL_GROWS))
                && document.growing() instanceof TurnChange.CallGrows growing) {
            changes.add(growing);
        }
        if (happened.contains(Kind.USAGE) && !over) {
            changes.add(new TurnChange.UsageChanged(document.usage(), document.stats()));
        }
        if (happened.contains(Kind.FILES) && document.files() != null) {
            changes.add(new TurnChange.FilesChanged(document.files()));
        }
    }

    private static void note(Touched what, ChangeLog.Entry entry) {
        what.closed |= entry.kind() == Kind.BLOCK_CLOSED;
        what.superseded |= entry.kind() == Kind.BLOCK_SUPERSEDED;
        what.state |= entry.kind() == Kind.TOOL_STATE;
        what.awaits |= entry.kind() == Kind.TOOL_AWAITS;
        if (entry.kind() == Kind.TEXT || entry.kind() == Kind.TOOL_OUTPUT) {
            what.from = Math.min(what.from, entry.offset());
        }
    }

    private static TurnChange status(TurnDocument document) {
        return document.status() == TurnStatus.INTERRUPTED
                ? new TurnChange.StatusChanged(document.status(), document.error(), document.finishedAt())
                : new TurnChange.StatusChanged(document.status());
    }

    private static TurnChange end(TurnDocument document) {
        TurnStatus status = document.status();
        Instant at = Objects.requireNonNull(document.finishedAt(), "an ended turn has an end");
        boolean failed = status == TurnStatus.FAILED || status == TurnStatus.INTERRUPTED;
        return failed && document.error() != null
                ? new TurnChange.Error(status, document.usage(), document.stats(), document.error(), at)
                : new TurnChange.Done(status, document.usage(), document.stats(), document.error(), at);
    }
}
