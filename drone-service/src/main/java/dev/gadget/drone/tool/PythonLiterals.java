package dev.gadget.drone.tool;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;

/** JSON as Python would write it, which small models do at times: other quotes, other words, a comma after the last. No more is guessed. */
public final class PythonLiterals {
    /** Reads what {@link #words} made of it. */
    public static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES, JsonReadFeature.ALLOW_TRAILING_COMMA)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final Map<String, String> WORDS = Map.of("True", "true", "False", "false", "None", "null");

    private PythonLiterals() {}

    /** The text with the words of JSON in the place of those of Python, but for what is quoted. */
    public static String words(String text) {
        StringBuilder json = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            int end = end(text, at);
            String part = text.substring(at, end);
            json.append(WORDS.getOrDefault(part, part));
            at = end;
        }
        return json.toString();
    }

    /** Where the string, the word or the single character ends that begins here. */
    private static int end(String text, int from) {
        char first = text.charAt(from);
        int at = from + 1;
        if (first == '"' || first == '\'') {
            while (at < text.length() && text.charAt(at) != first) {
                at += text.charAt(at) == '\\' ? 2 : 1;
            }
            return Math.min(text.length(), at + 1);
        }
        if (Character.isJavaIdentifierPart(first)) {
            while (at < text.length() && Character.isJavaIdentifierPart(text.charAt(at))) {
                at++;
            }
        }
        return at;
    }
}
