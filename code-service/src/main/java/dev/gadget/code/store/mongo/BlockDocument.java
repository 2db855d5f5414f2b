package dev.gadget.code.store.mongo;

import dev.gadget.code.turn.StoredBlock;
import dev.gadget.code.turn.ToolDecision;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.BlockMode;
import dev.gadget.model.turn.ToolApproval;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.ToolCallState;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * A block as it is stored. Its {@code _id} is the turn and the index with leading zeros, so the blocks of a turn are
 * one range of ids in their order.
 */
final class BlockDocument {
    /** The fields with what a block says, which can be long. */
    static final List<String> SAID = List.of(
            "text", "tool.parameters", "tool.output", "tool.response", "tool.diff", "tool.approval", "tool.decision");

    /** The call whose subagent said or called it; of the turn's own blocks there is none. */
    static final String PARENT = "parent";

    private static final char SEPARATOR = ':';
    private static final int MAX_INDEX = 9_999_999;

    private BlockDocument() {}

    /** The lowest id that a block of this turn can have. */
    static String firstId(TurnId turn) {
        return turn.value() + SEPARATOR;
    }

    /** Above every id of this turn's blocks, and above nothing else. */
    static String endId(TurnId turn) {
        return turn.value() + (char) (SEPARATOR + 1);
    }

    static String id(TurnId turn, int index) {
        if (index < 0 || index > MAX_INDEX) {
            throw new IllegalArgumentException("a block's index has to be 0 to " + MAX_INDEX + ", but is " + index);
        }
        return firstId(turn) + String.format(Locale.ROOT, "%07d", index);
    }

    static BsonDocument from(TurnId turn, StoredBlock stored) {
        Block block = stored.block();
        Fields fields = Fields.fresh()
                .put("_id", id(turn, block.index()))
                .put("turnId", turn.value())
                .put("index", block.index())
                .put("mode", StoredEnum.toStored(block.mode()))
                .putInstant("createdAt", block.createdAt())
                .putInstant("closedAt", block.closedAt())
                .put("superseded", block.superseded())
                .put(PARENT, block.parent())
                .put("firstSeq", stored.firstSeq())
                .put("lastSeq", stored.lastSeq())
                .put("round", stored.round());
        return (switch (block) {
                    case Block.Thinking thinking -> fields.put("text", thinking.content());
                    case Block.Responding responding -> fields.put("text", responding.content());
                    case Block.Tool tool -> fields.put("tool", from(tool.content(), stored.decision()));
                    case Block.Prompt said -> fields.put("text", said.content());
                })
                .document();
    }

    private static BsonDocument from(ToolCall call, @Nullable ToolDecision decision) {
        ToolApproval approval = call.approval();
        Fields asked = Fields.fresh();
        if (approval != null) {
            asked.put("reason", approval.reason())
                    .put("preview", approval.preview())
                    .put("shown", approval.shown());
            putPatterns(asked, approval.patterns());
        }
        Fields fields = Fields.fresh()
                .put("callId", call.callId())
                .put("name", call.name())
                .put("parameters", StoredJson.write(call.parameters()))
                .put("state", StoredEnum.toStored(call.state()))
                .put("output", call.output())
                .put("response", call.response())
                .put("diff", call.diff())
                .putInstant("askedAt", call.askedAt())
                .putInstant("startedAt", call.startedAt())
                .putInstant("finishedAt", call.finishedAt());
        if (approval != null) {
            fields.put("approval", asked.document());
        }
        return (decision == null ? fields : fields.put("decision", from(decision))).document();
    }

    private static BsonDocument from(ToolDecision decision) {
        Fields fields = Fields.fresh()
                .put("decision", StoredEnum.toStored(decision.decision()))
                .put("reason", decision.reason())
                .put("shown", decision.shown())
                .put("by", decision.by().value())
                .putInstant("at", decision.at())
                .put("attempt", decision.attempt());
        if (decision.parameters() != null) {
            fields.put("parameters", StoredJson.write(decision.parameters()));
        }
        putPatterns(fields, decision.patterns());
        return fields.document();
    }

    private static void putPatterns(Fields fields, @Nullable List<String> patterns) {
        if (patterns != null) {
            fields.put(
                    "patterns",
                    new BsonArray(patterns.stream().map(BsonString::new).toList()));
        }
    }

    private static @Nullable List<String> patterns(Fields fields) {
        return fields.has("patterns")
                ? fields.array("patterns").stream()
                        .map(pattern -> pattern.asString().getValue())
                        .toList()
                : null;
    }

    static StoredBlock toStoredBlock(BsonDocument document) {
        var fields = new Fields(document);
        return new StoredBlock(
                toBlock(fields),
                fields.number("firstSeq"),
                fields.number("lastSeq"),
                (int) fields.number("round"),
                fields.has("tool") ? toDecision(fields.nested("tool")) : null);
    }

    private static @Nullable ToolDecision toDecision(Fields tool) {
        if (!tool.has("decision")) {
            return null;
        }
        Fields fields = tool.nested("decision");
        return new ToolDecision(
                StoredEnum.fromStored(ApprovalDecision.class, fields.string("decision")),
                fields.optionalString("reason"),
                fields.optionalString("shown"),
                fields.has("parameters") ? StoredJson.read(fields.string("parameters")) : null,
                patterns(fields),
                new UserId(fields.string("by")),
                Instant.parse(fields.string("at")),
                (int) fields.number("attempt"));
    }

    /** A block that was read without {@link #SAID}. */
    static StoredBlock toOutline(BsonDocument document) {
        if (document.containsKey("tool")) {
            document.getDocument("tool").append("parameters", new BsonString("{}"));
        } else {
            document.append("text", new BsonString(""));
        }
        return toStoredBlock(document);
    }

    private static Block toBlock(Fields fields) {
        int index = (int) fields.number("index");
        Instant created = Instant.parse(fields.string("createdAt"));
        @Nullable Instant closed = fields.optionalInstant("closedAt");
        @Nullable Boolean superseded = fields.optionalBoolean("superseded");
        @Nullable String parent = fields.optionalString(PARENT);
        return switch (StoredEnum.fromStored(BlockMode.class, fields.string("mode"))) {
            case THINKING -> new Block.Thinking(index, created, closed, superseded, fields.string("text"), parent);
            case RESPONDING -> new Block.Responding(index, created, closed, superseded, fields.string("text"), parent);
            case TOOL -> new Block.Tool(index, created, closed, superseded, toCall(fields.nested("tool")), parent);
            case PROMPT -> new Block.Prompt(index, created, closed, superseded, fields.string("text"));
        };
    }

    private static ToolCall toCall(Fields fields) {
        return new ToolCall(
                fields.string("callId"),
                fields.string("name"),
                StoredJson.read(fields.string("parameters")),
                StoredEnum.fromStored(ToolCallState.class, fields.string("state")),
                fields.optionalString("output"),
                fields.optionalString("response"),
                fields.optionalString("diff"),
                fields.optionalInstant("startedAt"),
                fields.optionalInstant("finishedAt"),
                fields.has("approval") ? toApproval(fields.nested("approval")) : null,
                fields.optionalInstant("askedAt"));
    }

    private static ToolApproval toApproval(Fields fields) {
        return new ToolApproval(
                fields.string("reason"),
                fields.optionalString("preview"),
                fields.optionalString("shown"),
                patterns(fields));
    }
}
