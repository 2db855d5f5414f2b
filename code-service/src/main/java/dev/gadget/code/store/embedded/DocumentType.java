package dev.gadget.code.store.embedded;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.bson.BsonDecoder;
import de.bwaldvogel.mongo.wire.bson.BsonEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/** Documents in the store's file, as BSON: smaller than serialized objects, and without reflection. */
final class DocumentType extends BasicDataType<Document> {
    private static final int OBJECT_BYTES = 64;

    static void encode(WriteBuffer target, Document document) {
        ByteBuf buffer = Unpooled.buffer();
        BsonEncoder.encodeDocument(document, buffer);
        target.putVarInt(buffer.readableBytes());
        target.put(buffer.array(), buffer.arrayOffset() + buffer.readerIndex(), buffer.readableBytes());
    }

    static Document decode(ByteBuffer source) {
        byte[] bytes = new byte[DataUtils.readVarInt(source)];
        source.get(bytes);
        return BsonDecoder.decodeBson(Unpooled.wrappedBuffer(bytes));
    }

    @Override
    public int getMemory(Document document) {
        return sizeOf(document);
    }

    /** Roughly: it decides how many pages are kept in memory. */
    static int sizeOf(Object value) {
        return switch (value) {
            case Document document ->
                document.values().stream().mapToInt(DocumentType::sizeOf).sum() + OBJECT_BYTES * (document.size() + 1);
            case Iterable<?> list -> {
                int bytes = OBJECT_BYTES;
                for (Object item : list) {
                    bytes += sizeOf(item);
                }
                yield bytes;
            }
            case String text -> OBJECT_BYTES + 2 * text.length();
            case null, default -> OBJECT_BYTES;
        };
    }

    @Override
    public void write(WriteBuffer target, Document document) {
        encode(target, document);
    }

    @Override
    public Document read(ByteBuffer source) {
        return decode(source);
    }

    @Override
    public Document[] createStorage(int size) {
        return new Document[size];
    }
}
