package dev.gadget.drone.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The arguments of a tool call between JSON text and a map. */
public final class Arguments {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final TypeReference<LinkedHashMap<String, Object>> OBJECT = new TypeReference<>() {};

    private Arguments() {}

    /** What a model passed, read; parameters that are null count as absent, and no text as no parameters. */
    public static Map<String, Object> read(String text) throws MalformedException {
        if (text.isBlank()) {
            return Map.of();
        }
        try {
            return present(JSON.readValue(text, OBJECT));
        } catch (JsonProcessingException e) {
            try {
                return present(PythonLiterals.MAPPER.readValue(PythonLiterals.words(text), OBJECT));
            } catch (JsonProcessingException neither) {
                throw new MalformedException(e.getOriginalMessage());
            }
        }
    }

    private static Map<String, Object> present(@Nullable Map<String, Object> read) {
        if (read == null) {
            return Map.of();
        }
        read.values().removeIf(Objects::isNull);
        return read;
    }

    /** As JSON text. */
    public static String write(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** How many bytes it has as JSON in a message, which escapes all beyond the first 65,536 characters. */
    public static int size(Object value) {
        try {
            return JSON.writeValueAsBytes(value).length;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** Arguments that are not a JSON object. */
    public static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1L;

        MalformedException(String message) {
            super(message);
        }
    }
}
