package dev.gadget.drone.tool;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds the JSON schema of a tool's parameters. */
final class Schema {
    private final Map<String, Object> properties = new LinkedHashMap<>();
    private final List<String> required = new ArrayList<>();

    static Schema object() {
        return new Schema();
    }

    Schema text(String name, String description) {
        required.add(name);
        return optionalText(name, description);
    }

    Schema optionalText(String name, String description) {
        properties.put(name, property("string", description));
        return this;
    }

    Schema optionalFlag(String name, String description) {
        properties.put(name, property("boolean", description));
        return this;
    }

    Schema optionalNumber(String name, String description, int min, int max) {
        Map<String, Object> property = property("integer", description);
        property.put("minimum", min);
        property.put("maximum", max);
        properties.put(name, property);
        return this;
    }

    Map<String, Object> build() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", Collections.unmodifiableMap(properties));
        schema.put("required", List.copyOf(required));
        schema.put("additionalProperties", false);
        return Collections.unmodifiableMap(schema);
    }

    private static Map<String, Object> property(String type, String description) {
        Map<String, Object> property = new LinkedHashMap<>();
        property.put("type", type);
        property.put("description", description);
        return property;
    }
}
