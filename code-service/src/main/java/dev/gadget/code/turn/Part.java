package dev.gadget.code.turn;

import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.BlockMode;
import dev.gadget.model.turn.ToolApproval;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.ToolCallState;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A block while it grows. Belongs to one document and shares its confinement to one thread at a time. */
abstract sealed class Part {
    final int index;
    final int round;
    final Instant createdAt;
    final long firstSeq;
    /** The call whose subagent said or called this; null for the turn's own. */
    final @Nullable String parent;

    @Nullable
    Instant closedAt;

    boolean superseded;
    long lastSeq;
    /** Whether it differs from what the store has. */
    boolean unsaved = true;
    /** Whether the store did not take it, and a note stands for what was in it. */
    private boolean refused;

    private Part(int index, int round, Instant createdAt, long firstSeq, @Nullable String parent) {
        this.index = index;
        this.round = round;
        this.createdAt = createdAt;
        this.firstSeq = firstSeq;
        this.lastSeq = firstSeq;
        this.parent = parent;
    }

    abstract BlockMode mode();

    abstract Block toBlock();

    /** How much there is of it. */
    abstract long chars();

    static long chars(@Nullable Object said) {
        return said == null ? 0 : said.toString().length();
    }

    /** Puts this in place of all that was said in it; false when that was done before. */
    boolean replaceBy(String note) {
        boolean first = !refused;
        refused = true;
        unsaved = true;
        say(note);
        return first;
    }

    abstract void say(String note);

    boolean open() {
        return closedAt == null;
    }

    StoredBlock toStored() {
        return new StoredBlock(toBlock(), firstSeq, lastSeq, round, this instanceof Tool tool ? tool.decided() : null);
    }

    /** The part that continues a stored block. */
    static Part from(StoredBlock stored) {
        Part part = switch (stored.block()) {
            case Block.Thinking block -> text(stored, block.content());
            case Block.Responding block -> text(stored, block.content());
            case Block.Prompt block -> text(stored, block.content());
            case Block.Tool block -> tool(stored, block.content());
        };
        part.closedAt = stored.block().closedAt();
        part.superseded = Boolean.TRUE.equals(stored.block().superseded());
        part.lastSeq = stored.lastSeq();
        part.unsaved = false;
        return part;
    }

    private static Part text(StoredBlock stored, String content) {
        var part = new Text(
                stored.block().index(),
                stored.round(),
                stored.block().createdAt(),
                stored.firstSeq(),
                stored.block().parent(),
                stored.block().mode());
        part.content.append(content);
        return part;
    }

    private static Part tool(StoredBlock stored, ToolCall call) {
        var part = new Tool(
                stored.block().index(),
                stored.round(),
                stored.block().createdAt(),
                stored.firstSeq(),
                stored.block().parent(),
                call.callId(),
                call.name(),
                call.parameters());
        part.state = call.state();
        part.response = call.response();
        part.diff = call.diff();
        part.startedAt = call.startedAt();
        part.finishedAt = call.finishedAt();
        part.approval = call.approval();
        part.decision = stored.decision();
        part.askedAt = call.askedAt();
        if (call.output() != null) {
            part.output.append(call.output());
        }
        return part;
    }

    /** Thinking or response, or what the person said meanwhile. */
    static final class Text extends Part {
        final StringBuilder content = new StringBuilder();
        private final BlockMode mode;

        Text(int index, int round, Instant createdAt, long firstSeq, @Nullable String parent, BlockMode mode) {
            super(index, round, createdAt, firstSeq, parent);
            this.mode = mode;
        }

        @Override
        BlockMode mode() {
            return mode;
        }

        @Override
        long chars() {
            return content.length();
        }

        @Override
        void say(String note) {
            content.setLength(0);
            content.append(note);
        }

        @Override
        Block toBlock() {
            Boolean cut = superseded ? Boolean.TRUE : null;
            String text = content.toString();
            return switch (mode) {
                case THINKING -> new Block.Thinking(index, createdAt, closedAt, cut, text, parent);
                case RESPONDING -> new Block.Responding(index, createdAt, closedAt, cut, text, parent);
                case PROMPT -> new Block.Prompt(index, createdAt, closedAt, cut, text);
                case TOOL -> throw new IllegalStateException("a tool call is no text");
            };
        }
    }

    /** A tool call. */
    static final class Tool extends Part {
        final String callId;
        final StringBuilder output = new StringBuilder();
        final String name;
        Map<String, Object> parameters;

        ToolCallState state = ToolCallState.QUEUED;

        @Nullable
        ToolApproval approval;

        /** Of the question that is open, and in which attempt that was asked. */
        @Nullable
        ToolDecision decision;

        int askedIn;
        /** Whether the decision brings rules that the session has not taken yet. */
        boolean awaitsRules;

        @Nullable
        String response;

        @Nullable
        String diff;

        @Nullable
        Instant askedAt;

        @Nullable
        Instant startedAt;

        @Nullable
        Instant finishedAt;

        Tool(
                int index,
                int round,
                Instant createdAt,
                long firstSeq,
                @Nullable String parent,
                String callId,
                String name,
                Map<String, Object> parameters) {
            super(index, round, createdAt, firstSeq, parent);
            this.callId = callId;
            this.name = name;
            this.parameters = parameters;
        }

        @Override
        BlockMode mode() {
            return BlockMode.TOOL;
        }

        @Override
        long chars() {
            return output.length() + chars(parameters) + chars(response) + chars(diff) + chars(approval);
        }

        @Override
        void say(String note) {
            parameters = Map.of();
            output.setLength(0);
            approval = null;
            diff = null;
            response = note;
        }

        @Override
        Block toBlock() {
            Boolean cut = superseded ? Boolean.TRUE : null;
            return new Block.Tool(
                    index, createdAt, closedAt, cut, toCall(output.isEmpty() ? null : output.toString()), parent);
        }

        /** What was decided on the question that is open, and stands. */
        @Nullable
        ToolDecision decided() {
            return awaitsRules ? null : decision;
        }

        /** What a person is asked, and said to it already; null when it does not wait. */
        @Nullable
        ToolApproval asked() {
            if (state != ToolCallState.AWAITING_APPROVAL || approval == null) {
                return null;
            }
            return decision == null ? approval : approval.decided(decision.decision());
        }

        /** The call with this output, or with none where that is told by itself. */
        ToolCall toCall(@Nullable String shownOutput) {
            return new ToolCall(
                    callId,
                    name,
                    parameters,
                    state,
                    shownOutput,
                    response,
                    diff,
                    startedAt,
                    finishedAt,
                    asked(),
                    askedAt);
        }
    }
}
