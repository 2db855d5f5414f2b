package dev.gadget.scripted;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The module's JSON mapper and two shorthands. */
final class Json {
    static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static String quote(String text) {
        StringBuilder out = new StringBuilder(text.length() + 8).append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, out);
        return out.append('"').toString();
    }
}
