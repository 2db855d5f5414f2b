package dev.gadget.drone.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Optional;

/** JSON of servers and of the owner's files, as trees: nothing is bound to classes. */
final class Json {
    static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** For what a person wrote: a key that stands twice is a mistake, and would be read otherwise than it is seen. */
    private static final ObjectMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final ObjectMapper CANONICAL = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private Json() {}

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static JsonNode strict(byte[] bytes) throws IOException {
        return STRICT.readTree(bytes);
    }

    /** What this is when it is JSON; a server may send anything. */
    static Optional<JsonNode> lenient(byte[] bytes) {
        try {
            return Optional.of(MAPPER.readTree(bytes)).filter(node -> !node.isMissingNode());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree cannot be written: " + e.getOriginalMessage(), e);
        }
    }

    /** The same text for the same content, whatever the order of its keys. */
    static String canonical(JsonNode node) {
        try {
            return CANONICAL.writeValueAsString(CANONICAL.treeToValue(node, Object.class));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree cannot be written: " + e.getOriginalMessage(), e);
        }
    }
}
