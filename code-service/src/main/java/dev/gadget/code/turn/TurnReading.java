package dev.gadget.code.turn;

import dev.gadget.code.turn.ChangeLog.Kind;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.ToolApproval;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.turn.TurnStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Works out what a reader at a cursor lacks of a document: the missing suffix, in as few steps as there are blocks touched. */
final class TurnReading {
    private TurnReading() {}

    /** What happened to one block since the cursor. */
    private static final class Touched {
        boolean closed;
        boolean superseded;
        boolean state;
        boolean awaits;
        int textFrom = Integer.MAX_VALUE;
        int outputFrom = Integer.MAX_VALUE;
    }

    /** The steps from {@code cursor} to the document as it is now, in this {@code epoch} of it. */
    static TurnUpdate since(TurnDocument document, String epoch, @Nullable Cursor cursor, Instant now) {
        List<TurnChange> changes =
                cursor != null && known(document, epoch, cursor) ? suffix(document, cursor, now) : whole(document, now);
        return new TurnUpdate(end(document, epoch), document.status(), changes);
    }

    /** Where a reader stands that has everything. */
    static Cursor end(TurnDocument document, String epoch) {
        int last = Math.max(0, document.parts.size() - 1);
        return new Cursor(epoch, document.log.revision(), last, textLength(document, last));
    }

    /** Whether a reader can stand there in this {@code epoch} of the document; if not, it begins with a snapshot. */
    static boolean known(TurnDocument document, String epoch, Cursor cursor) {
        return cursor.epoch().equals(epoch)
                && cursor.revision() <= document.log.revision()
                && cursor.block() <= Math.max(0, document.parts.size() - 1)
                && cursor.offset() <= textLength(document, cursor.block());
    }

    private static int textLength(TurnDocument document, int index) {
        return index < document.parts.size() && document.parts.get(index) instanceof Part.Text text
                ? text.content.length()
                : 0;
    }

    private static List<TurnChange> whole(TurnDocument document, Instant now) {
        List<TurnChange> changes = new ArrayList<>();
        changes.add(new TurnChange.Snapshot(document.toTurn()));
        for (Part part : document.parts) {
            if (part instanceof Part.Tool tool && tool.asked() instanceof ToolApproval asked) {
                changes.add(awaiting(tool, asked));
            }
        }
        if (document.retrying(now) instanceof TurnChange.Retrying retrying) {
            changes.add(retrying);
        }
        if (document.growing() instanceof TurnChange.CallGrows growing) {
            changes.add(growing);
        }
        if (document.status().ended()) {
            changes.add(end(document));
        }
        return changes;
    }

    private static List<TurnChange> suffix(TurnDocument document, Cursor cursor, Instant now) {
        if (cursor.revision() == document.log.revision() && cursor.block() == document.parts.size() - 1) {
            return moreOf(document.parts.getLast(), cursor.offset());
        }
        var touched = new TreeMap<Integer, Touched>();
        boolean status = false;
        boolean usage = false;
        boolean ended = false;
        boolean files = false;
        boolean retries = false;
        boolean grows = false;
        for (ChangeLog.Entry entry : document.log.since(cursor.revision())) {
            switch (entry.kind()) {
                case STATUS -> status = true;
                case USAGE -> usage = true;
                case END -> ended = true;
                case FILES -> files = true;
                case RETRYING -> retries = true;
                case CALL_GROWS -> grows = true;
                case TEXT, BLOCK_CLOSED, BLOCK_SUPERSEDED, TOOL_STATE, TOOL_OUTPUT, TOOL_AWAITS ->
                    note(touched.computeIfAbsent(entry.index(), _ -> new Touched()), entry);
            }
        }
        for (int index = cursor.block(); index < document.parts.size(); index++) {
            touched.computeIfAbsent(index, _ -> new Touched()).textFrom = index == cursor.block() ? cursor.offset() : 0;
        }
        List<TurnChange> changes = new ArrayList<>();
        touched.forEach((index, what) -> add(changes, document.parts.get(index), what));
        boolean over = document.status().ended();
        // Before what is waited for, which a status ends.
        if (status && !over) {
            changes.add(new TurnChange.StatusChanged(document.status()));
        }
        if (retries && document.retrying(now) instanceof TurnChange.Retrying retrying) {
            changes.add(retrying);
        }
        if (grows && document.growing() instanceof TurnChange.CallGrows growing) {
            changes.add(growing);
        }
        if (usage && !over) {
            changes.add(new TurnChange.UsageChanged(document.usage(), document.stats()));
        }
        if (files && document.files() != null) {
            changes.add(new TurnChange.FilesChanged(document.files()));
        }
        if (ended && over) {
            changes.add(end(document));
        }
        return changes;
    }

    /** Nothing but text came: what nearly every token is. */
    private static List<TurnChange> moreOf(Part part, int from) {
        return part instanceof Part.Text text && from < text.content.length() ? List.of(more(text, from)) : List.of();
    }

    private static TurnChange more(Part.Text text, int from) {
        Instant createdAt = from == 0 ? text.createdAt : null;
        String parent = from == 0 ? text.parent : null;
        return new TurnChange.TextDelta(text.index, text.mode(), from, text.content.substring(from), createdAt, parent);
    }

    private static void note(Touched what, ChangeLog.Entry entry) {
        what.closed |= entry.kind() == Kind.BLOCK_CLOSED;
        what.superseded |= entry.kind() == Kind.BLOCK_SUPERSEDED;
        what.state |= entry.kind() == Kind.TOOL_STATE;
        what.awaits |= entry.kind() == Kind.TOOL_AWAITS;
        if (entry.kind() == Kind.TEXT) {
            what.textFrom = Math.min(what.textFrom, entry.offset());
        }
        if (entry.kind() == Kind.TOOL_OUTPUT) {
            what.outputFrom = Math.min(what.outputFrom, entry.offset());
        }
    }

    private static void add(List<TurnChange> changes, Part part, Touched what) {
        switch (part) {
            case Part.Text text -> addText(changes, text, what);
            case Part.Tool tool -> addTool(changes, tool, what);
        }
        if (what.superseded) {
            changes.add(new TurnChange.BlockSuperseded(part.index));
        }
    }

    private static void addText(List<TurnChange> changes, Part.Text text, Touched what) {
        if (what.textFrom < text.content.length()) {
            changes.add(more(text, what.textFrom));
        }
        if (what.closed && text.closedAt != null) {
            changes.add(new TurnChange.BlockClosed(text.index, text.closedAt));
        }
    }

    private static void addTool(List<TurnChange> changes, Part.Tool tool, Touched what) {
        if (what.state) {
            changes.add(new TurnChange.ToolState(
                    tool.index, tool.createdAt, tool.closedAt, tool.toCall(null), tool.parent));
        }
        if (what.outputFrom < tool.output.length()) {
            changes.add(new TurnChange.ToolOutput(tool.index, what.outputFrom, tool.output.substring(what.outputFrom)));
        }
        if (what.awaits && tool.asked() instanceof ToolApproval asked) {
            changes.add(awaiting(tool, asked));
        }
    }

    private static TurnChange awaiting(Part.Tool tool, ToolApproval approval) {
        return new TurnChange.AwaitingConfirmation(
                tool.index, tool.callId, approval.reason(), approval.preview(), approval.shown(), approval.patterns());
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
