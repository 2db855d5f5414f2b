package dev.gadget.code.store.mongo;

import dev.gadget.model.turn.FileChange;
import dev.gadget.model.turn.TurnFiles;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;

/** What a turn changed in files, as it is stored in the turn. */
final class TurnFilesDocument {
    private TurnFilesDocument() {}

    static BsonDocument from(TurnFiles files) {
        return Fields.fresh()
                .put(
                        "files",
                        new BsonArray(files.files().stream()
                                .map(TurnFilesDocument::from)
                                .toList()))
                .put("total", files.total())
                .put("diff", files.diff())
                .put("cut", (Boolean) files.cut())
                .put("undone", (Boolean) files.undone())
                .document();
    }

    private static BsonDocument from(FileChange change) {
        Fields fields = Fields.fresh().put("path", change.path()).put("kind", StoredEnum.toStored(change.kind()));
        Integer added = change.added();
        Integer removed = change.removed();
        if (added != null && removed != null) {
            fields.put("added", added.intValue()).put("removed", removed.intValue());
        }
        return fields.document();
    }

    static TurnFiles toFiles(Fields fields) {
        List<FileChange> files = fields.array("files").stream()
                .map(each -> toChange(new Fields(each.asDocument())))
                .toList();
        return new TurnFiles(
                files,
                (int) fields.number("total"),
                fields.string("diff"),
                Boolean.TRUE.equals(fields.optionalBoolean("cut")),
                Boolean.TRUE.equals(fields.optionalBoolean("undone")));
    }

    private static FileChange toChange(Fields fields) {
        boolean counted = fields.has("added");
        return new FileChange(
                fields.string("path"),
                StoredEnum.fromStored(FileChange.Kind.class, fields.string("kind")),
                counted ? (int) fields.number("added") : null,
                counted ? (int) fields.number("removed") : null);
    }
}
