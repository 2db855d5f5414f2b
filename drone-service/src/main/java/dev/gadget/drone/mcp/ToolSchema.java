package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The schema of a foreign tool, in the form that the drone and model endpoints rely on: an object with properties. */
final class ToolSchema {
    private static final int MAX_CHARS = 64 << 10;

    private ToolSchema() {}

    /** The same schema; {@code IllegalArgumentException} when none can be made of it. */
    static Map<String, Object> of(JsonNode given) {
        if (given.isMissingNode() || given.isNull()) {
            return Map.of("type", "object", "properties", Map.of(), "required", List.of());
        }
        if (!given.isObject() || !given.path("type").asText("object").equals("object")) {
            throw new IllegalArgumentException("its schema is not that of an object");
        }
        if (given.toString().length() > MAX_CHARS) {
            throw new IllegalArgumentException("its schema is longer than " + (MAX_CHARS >> 10) + " KiB");
        }
        Map<String, Object> schema = object(given);
        schema.remove("$schema");
        schema.put("type", "object");
        Map<String, Object> properties = new LinkedHashMap<>();
        given.path("properties")
                .properties()
                .forEach(entry -> properties.put(
                        entry.getKey(), entry.getValue().isObject() ? object(entry.getValue()) : Map.of()));
        schema.put("properties", properties);
        List<String> required = new ArrayList<>();
        given.path("required").forEach(name -> {
            if (name.isTextual()) {
                required.add(name.textValue());
            }
        });
        schema.put("required", required);
        return Collections.unmodifiableMap(schema);
    }

    /** A call as it could be made, for a model that made a bad one. */
    static Map<String, Object> example(Map<String, Object> schema) {
        Map<String, Object> example = new LinkedHashMap<>();
        if (schema.get("required") instanceof List<?> required && schema.get("properties") instanceof Map<?, ?> all) {
            required.forEach(name -> example.put(String.valueOf(name), value(all.get(name))));
        }
        return example;
    }

    private static Object value(@Nullable Object property) {
        if (!(property instanceof Map<?, ?> schema)) {
            return "…";
        }
        if (schema.get("enum") instanceof List<?> allowed && !allowed.isEmpty() && allowed.get(0) != null) {
            return allowed.get(0);
        }
        return switch (String.valueOf(schema.get("type"))) {
            case "integer", "number" -> 1;
            case "boolean" -> true;
            case "array" -> List.of();
            case "object" -> Map.of();
            default -> "…";
        };
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(JsonNode node) {
        return Json.MAPPER.convertValue(node, LinkedHashMap.class);
    }
}
