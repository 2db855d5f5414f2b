package dev.gadget.code.store.mongo;

import dev.gadget.code.store.StoreException;
import dev.gadget.model.FailureCode;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/** Refuses what MongoDB would refuse: the embedded store takes documents of any size. */
final class DocumentSize {
    /** MongoDB's limit less what an update command adds around a document. */
    static final int MAX_BYTES = (16 << 20) - (64 << 10);

    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    private DocumentSize() {}

    /** The document in its encoded form, so that it is encoded once. */
    static BsonDocument checked(BsonDocument document) {
        var encoded = new RawBsonDocument(document, CODEC);
        int bytes = encoded.getByteBuffer().remaining();
        if (bytes > MAX_BYTES) {
            throw new StoreException(
                    FailureCode.PAYLOAD_TOO_LARGE,
                    "a document of " + bytes + " bytes is more than the store takes (" + MAX_BYTES + ")");
        }
        return encoded;
    }
}
