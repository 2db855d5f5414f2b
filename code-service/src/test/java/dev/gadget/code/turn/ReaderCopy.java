package dev.gadget.code.turn;

import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.ToolApproval;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.turn.TurnFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a client makes of the steps it gets: the rules of docs/protocol.md, and nothing else. */
public final class ReaderCopy {
    private @Nullable Turn turn;

    /** The retry or the call that is told of, until a step that ends it. */
    private @Nullable TurnChange waits;

    public ReaderCopy() {}

    /** One that has this already. */
    ReaderCopy(Turn turn) {
        this.turn = turn;
    }

    public Turn turn() {
        return Objects.requireNonNull(turn, "no snapshot came");
    }

    public @Nullable TurnChange waits() {
        return waits;
    }

    public void apply(List<TurnChange> changes) {
        changes.forEach(this::apply);
    }

    private void apply(TurnChange change) {
        waits = switch (change) {
            case TurnChange.Retrying _, TurnChange.CallGrows _ -> change;
            case TurnChange.Snapshot _,
                    TurnChange.TextDelta _,
                    TurnChange.ToolState _,
                    TurnChange.StatusChanged _,
                    TurnChange.Done _,
                    TurnChange.Error _ -> null;
            case TurnChange.BlockClosed _,
                    TurnChange.BlockSuperseded _,
                    TurnChange.ToolOutput _,
                    TurnChange.AwaitingConfirmation _,
                    TurnChange.UsageChanged _,
                    TurnChange.FilesChanged _ -> waits;
        };
        if (change instanceof TurnChange.Snapshot snapshot) {
            turn = snapshot.turn();
            return;
        }
        Turn t = turn();
        List<Block> blocks = new ArrayList<>(t.blocks());
        turn = switch (change) {
            case TurnChange.Snapshot snapshot -> snapshot.turn();
            case TurnChange.TextDelta delta -> {
                append(blocks, delta);
                yield with(t, blocks);
            }
            case TurnChange.BlockClosed closed -> {
                blocks.set(closed.index(), closed(blocks.get(closed.index()), closed));
                yield with(t, blocks);
            }
            case TurnChange.BlockSuperseded superseded -> {
                blocks.set(superseded.index(), superseded(blocks.get(superseded.index())));
                yield with(t, blocks);
            }
            case TurnChange.ToolState state -> {
                tool(blocks, state);
                yield with(t, blocks);
            }
            case TurnChange.ToolOutput output -> {
                output(blocks, output);
                yield with(t, blocks);
            }
            case TurnChange.AwaitingConfirmation asks -> {
                asked(blocks, asks);
                yield with(t, blocks);
            }
            case TurnChange.Retrying _, TurnChange.CallGrows _ -> t;
            case TurnChange.FilesChanged files -> withFiles(t, files.files());
            case TurnChange.StatusChanged status ->
                new Turn(
                        t.id(),
                        t.sessionId(),
                        t.prompt(),
                        status.status(),
                        t.provider(),
                        t.model(),
                        t.reasoningEffort(),
                        blocks,
                        t.usage(),
                        t.stats(),
                        t.files(),
                        status.error(),
                        t.createdAt(),
                        status.finishedAt());
            case TurnChange.UsageChanged usage ->
                new Turn(
                        t.id(),
                        t.sessionId(),
                        t.prompt(),
                        t.status(),
                        t.provider(),
                        t.model(),
                        t.reasoningEffort(),
                        blocks,
                        usage.usage(),
                        usage.stats(),
                        t.files(),
                        t.error(),
                        t.createdAt(),
                        t.finishedAt());
            case TurnChange.Done done ->
                new Turn(
                        t.id(),
                        t.sessionId(),
                        t.prompt(),
                        done.status(),
                        t.provider(),
                        t.model(),
                        t.reasoningEffort(),
                        blocks,
                        done.usage(),
                        done.stats(),
                        t.files(),
                        done.error(),
                        t.createdAt(),
                        done.finishedAt());
            case TurnChange.Error error ->
                new Turn(
                        t.id(),
                        t.sessionId(),
                        t.prompt(),
                        error.status(),
                        t.provider(),
                        t.model(),
                        t.reasoningEffort(),
                        blocks,
                        error.usage(),
                        error.stats(),
                        t.files(),
                        error.error(),
                        t.createdAt(),
                        error.finishedAt());
        };
    }

    private static Turn withFiles(Turn t, TurnFiles files) {
        return new Turn(
                t.id(),
                t.sessionId(),
                t.prompt(),
                t.status(),
                t.provider(),
                t.model(),
                t.reasoningEffort(),
                t.blocks(),
                t.usage(),
                t.stats(),
                files,
                t.error(),
                t.createdAt(),
                t.finishedAt());
    }

    private static Turn with(Turn t, List<Block> blocks) {
        return new Turn(
                t.id(),
                t.sessionId(),
                t.prompt(),
                t.status(),
                t.provider(),
                t.model(),
                t.reasoningEffort(),
                blocks,
                t.usage(),
                t.stats(),
                t.files(),
                t.error(),
                t.createdAt(),
                t.finishedAt());
    }

    private static void append(List<Block> blocks, TurnChange.TextDelta delta) {
        if (delta.index() == blocks.size()) {
            var at = Objects.requireNonNull(delta.createdAt(), "the first text of a block says when it began");
            blocks.add(
                    switch (delta.mode()) {
                        case THINKING ->
                            new Block.Thinking(delta.index(), at, null, null, delta.text(), delta.parent());
                        case RESPONDING ->
                            new Block.Responding(delta.index(), at, null, null, delta.text(), delta.parent());
                        case PROMPT -> new Block.Prompt(delta.index(), at, null, null, delta.text());
                        case TOOL -> throw new AssertionError("text for a tool block");
                    });
            return;
        }
        Block block = blocks.get(delta.index());
        blocks.set(
                delta.index(),
                switch (block) {
                    case Block.Thinking b ->
                        new Block.Thinking(
                                b.index(),
                                b.createdAt(),
                                b.closedAt(),
                                b.superseded(),
                                grown(b.content(), delta.offset(), delta.text()),
                                b.parent());
                    case Block.Responding b ->
                        new Block.Responding(
                                b.index(),
                                b.createdAt(),
                                b.closedAt(),
                                b.superseded(),
                                grown(b.content(), delta.offset(), delta.text()),
                                b.parent());
                    case Block.Prompt b ->
                        new Block.Prompt(
                                b.index(),
                                b.createdAt(),
                                b.closedAt(),
                                b.superseded(),
                                grown(b.content(), delta.offset(), delta.text()));
                    case Block.Tool _ -> throw new AssertionError("text for a tool block");
                });
    }

    /** A reader skips what it already has. */
    private static String grown(String has, int offset, String text) {
        if (offset > has.length()) {
            throw new AssertionError("text is missing before offset " + offset);
        }
        int known = has.length() - offset;
        return known >= text.length() ? has : has + text.substring(known);
    }

    private static Block closed(Block block, TurnChange.BlockClosed closed) {
        return switch (block) {
            case Block.Thinking b ->
                new Block.Thinking(
                        b.index(), b.createdAt(), closed.closedAt(), b.superseded(), b.content(), b.parent());
            case Block.Responding b ->
                new Block.Responding(
                        b.index(), b.createdAt(), closed.closedAt(), b.superseded(), b.content(), b.parent());
            case Block.Tool b ->
                new Block.Tool(b.index(), b.createdAt(), closed.closedAt(), b.superseded(), b.content(), b.parent());
            case Block.Prompt b ->
                new Block.Prompt(b.index(), b.createdAt(), closed.closedAt(), b.superseded(), b.content());
        };
    }

    private static Block superseded(Block block) {
        return switch (block) {
            case Block.Thinking b ->
                new Block.Thinking(b.index(), b.createdAt(), b.closedAt(), true, b.content(), b.parent());
            case Block.Responding b ->
                new Block.Responding(b.index(), b.createdAt(), b.closedAt(), true, b.content(), b.parent());
            case Block.Tool b -> new Block.Tool(b.index(), b.createdAt(), b.closedAt(), true, b.content(), b.parent());
            case Block.Prompt b -> new Block.Prompt(b.index(), b.createdAt(), b.closedAt(), true, b.content());
        };
    }

    private static void tool(List<Block> blocks, TurnChange.ToolState state) {
        String output = state.index() < blocks.size()
                ? ((Block.Tool) blocks.get(state.index())).content().output()
                : null;
        Boolean superseded =
                state.index() < blocks.size() ? blocks.get(state.index()).superseded() : null;
        var block = new Block.Tool(
                state.index(),
                state.createdAt(),
                state.closedAt(),
                superseded,
                withOutput(state.content(), output),
                state.parent());
        if (state.index() == blocks.size()) {
            blocks.add(block);
        } else {
            blocks.set(state.index(), block);
        }
    }

    private static void output(List<Block> blocks, TurnChange.ToolOutput printed) {
        var b = (Block.Tool) blocks.get(printed.index());
        String has = b.content().output() == null ? "" : b.content().output();
        blocks.set(
                printed.index(),
                new Block.Tool(
                        b.index(),
                        b.createdAt(),
                        b.closedAt(),
                        b.superseded(),
                        withOutput(b.content(), grown(has, printed.offset(), printed.text())),
                        b.parent()));
    }

    private static void asked(List<Block> blocks, TurnChange.AwaitingConfirmation asks) {
        var b = (Block.Tool) blocks.get(asks.index());
        var approval = new ToolApproval(asks.reason(), asks.preview(), asks.shown(), asks.patterns(), asks.decided());
        ToolCall call = b.content();
        blocks.set(
                asks.index(),
                new Block.Tool(
                        b.index(),
                        b.createdAt(),
                        b.closedAt(),
                        b.superseded(),
                        with(call, call.output(), approval),
                        b.parent()));
    }

    private static ToolCall withOutput(ToolCall call, @Nullable String output) {
        return with(call, output, call.approval());
    }

    private static ToolCall with(ToolCall call, @Nullable String output, @Nullable ToolApproval approval) {
        return new ToolCall(
                call.callId(),
                call.name(),
                call.parameters(),
                call.state(),
                output,
                call.response(),
                call.diff(),
                call.startedAt(),
                call.finishedAt(),
                approval,
                call.askedAt());
    }
}
