package dev.gadget.code.store.mongo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;

/** Free-form parameters as JSON text: their keys may hold dots and dollar signs, which field names of the store may not. */
final class StoredJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private StoredJson() {}

    static String write(Map<String, Object> value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("tool parameters are not JSON", e);
        }
    }

    static Map<String, Object> read(String text) {
        try {
            return MAPPER.readValue(text, OBJECT);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("stored tool parameters are not JSON", e);
        }
    }
}
