package dev.gadget.code.store.mongo;

import dev.gadget.code.turn.SteeredPrompt;
import dev.gadget.code.turn.TurnRecord;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.RoundUsage;
import dev.gadget.model.turn.TurnFiles;
import dev.gadget.model.turn.TurnStats;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** A turn as it is stored; written by hand because it is written often. */
final class TurnDocument {
    private TurnDocument() {}

    static BsonDocument from(TurnRecord turn, long version) {
        DroneId drone = turn.droneId();
        WorkspaceId workspace = turn.workspaceId();
        Fields fields = Fields.fresh()
                .put("_id", turn.id().value())
                .put("sessionId", turn.sessionId().value())
                .put("ownerId", turn.ownerId().value())
                .put("prompt", turn.prompt())
                .put("status", StoredEnum.toStored(turn.status()))
                .put("provider", turn.provider())
                .put("model", turn.model())
                .put("reasoningEffort", StoredEnum.toStored(turn.reasoningEffort()))
                .put("workOrderId", turn.workOrderId().value())
                .put("droneId", drone == null ? null : drone.value())
                .put("workspaceId", workspace == null ? null : workspace.value())
                .put("attempt", turn.attempt())
                .put("fence", turn.fence())
                .put("durableSeq", turn.durableSeq())
                .put("openChars", turn.openChars())
                .put("usage", from(turn.usage()))
                .put(
                        "roundUsages",
                        new BsonArray(turn.roundUsages().stream()
                                .map(TurnDocument::from)
                                .toList()))
                .put("stats", from(turn.stats()))
                .putDate("createdAt", turn.createdAt())
                .put(ListKey.FIELD, ListKey.of(turn.createdAt(), turn.id().value()))
                .putDate("finishedAt", turn.finishedAt())
                .put(
                        "steered",
                        new BsonArray(
                                turn.steered().stream().map(TurnDocument::from).toList()))
                .put(Versions.FIELD, version);
        TurnFiles files = turn.files();
        if (files != null) {
            fields.put("files", TurnFilesDocument.from(files));
        }
        String submitted = turn.submitted();
        if (submitted != null) {
            fields.put("submitted", submitted);
        }
        Failure error = turn.error();
        return (error == null ? fields : fields.put("error", from(error))).document();
    }

    private static BsonDocument from(Usage usage) {
        return Fields.fresh()
                .put("inputTokens", usage.inputTokens())
                .put("outputTokens", usage.outputTokens())
                .put("thinkingTokens", usage.thinkingTokens())
                .put("cost", usage.cost())
                .put("contextTokens", usage.contextTokens())
                .put("cachedTokens", usage.cachedTokens())
                .document();
    }

    private static BsonDocument from(SteeredPrompt words) {
        return Fields.fresh()
                .put("prompt", words.prompt().value())
                .put("words", words.words())
                .document();
    }

    private static BsonDocument from(RoundUsage usage) {
        return Fields.fresh()
                .put("round", usage.round())
                .put("inputTokens", usage.inputTokens())
                .put("outputTokens", usage.outputTokens())
                .put("thinkingTokens", usage.thinkingTokens())
                .document();
    }

    private static BsonDocument from(TurnStats stats) {
        return Fields.fresh()
                .put("rounds", stats.rounds())
                .put("toolCallCount", stats.toolCallCount())
                .put("toolFailures", stats.toolFailures())
                .put("modeTransitions", stats.modeTransitions())
                .put("thinkingTokenCount", stats.thinkingTokenCount())
                .put("textChars", stats.textChars())
                .document();
    }

    private static BsonDocument from(Failure error) {
        return Fields.fresh()
                .put("code", error.code().wireName())
                .put("message", error.message())
                .document();
    }

    static TurnRecord toTurn(BsonDocument document) {
        var fields = new Fields(document);
        String drone = fields.optionalString("droneId");
        String workspace = fields.optionalString("workspaceId");
        return new TurnRecord(
                new TurnId(fields.string("_id")),
                new SessionId(fields.string("sessionId")),
                new UserId(fields.string("ownerId")),
                fields.string("prompt"),
                StoredEnum.fromStored(TurnStatus.class, fields.string("status")),
                fields.string("provider"),
                fields.string("model"),
                StoredEnum.fromStored(ReasoningEffort.class, fields.string("reasoningEffort")),
                new WorkOrderId(fields.string("workOrderId")),
                drone == null ? null : new DroneId(drone),
                workspace == null ? null : new WorkspaceId(workspace),
                (int) fields.number("attempt"),
                fields.number("fence"),
                fields.number("durableSeq"),
                (int) fields.number("openChars"),
                toUsage(fields.nested("usage")),
                fields.array("roundUsages").stream()
                        .map(each -> toRoundUsage(new Fields(each.asDocument())))
                        .toList(),
                toStats(fields.nested("stats")),
                fields.has("files") ? TurnFilesDocument.toFiles(fields.nested("files")) : null,
                toFailure(fields),
                fields.date("createdAt"),
                fields.optionalDate("finishedAt"),
                fields.array("steered").stream()
                        .map(each -> toSteered(new Fields(each.asDocument())))
                        .toList(),
                fields.optionalString("submitted"),
                fields.number(Versions.FIELD));
    }

    private static Usage toUsage(Fields fields) {
        return new Usage(
                fields.number("inputTokens"),
                fields.number("outputTokens"),
                fields.number("thinkingTokens"),
                fields.optionalDecimal("cost"),
                fields.optionalNumber("contextTokens"),
                fields.optionalNumber("cachedTokens"));
    }

    private static SteeredPrompt toSteered(Fields fields) {
        return new SteeredPrompt(new TurnId(fields.string("prompt")), fields.string("words"));
    }

    private static RoundUsage toRoundUsage(Fields fields) {
        return new RoundUsage(
                (int) fields.number("round"),
                fields.number("inputTokens"),
                fields.number("outputTokens"),
                fields.number("thinkingTokens"));
    }

    private static TurnStats toStats(Fields fields) {
        return new TurnStats(
                (int) fields.number("rounds"),
                (int) fields.number("toolCallCount"),
                (int) fields.number("toolFailures"),
                (int) fields.number("modeTransitions"),
                fields.number("thinkingTokenCount"),
                fields.number("textChars"));
    }

    private static @Nullable Failure toFailure(Fields fields) {
        if (!fields.has("error")) {
            return null;
        }
        Fields error = fields.nested("error");
        return new Failure(StoredEnum.fromStored(FailureCode.class, error.string("code")), error.string("message"));
    }
}
