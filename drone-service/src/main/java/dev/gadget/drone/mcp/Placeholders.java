package dev.gadget.drone.mcp;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Variables of the drone's environment in {@code env} and {@code headers}, so that a secret need not stand in a file. */
public final class Placeholders {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

    private Placeholders() {}

    /** The variables that these texts ask for. */
    public static Set<String> in(Map<String, String> texts) {
        Set<String> names = new TreeSet<>();
        texts.values().forEach(text -> VARIABLE.matcher(text).results().forEach(match -> names.add(match.group(1))));
        return names;
    }

    static Map<String, String> filled(Map<String, String> texts, Map<String, String> environment) throws McpException {
        for (String name : in(texts)) {
            if (!environment.containsKey(name)) {
                throw new McpException(
                        McpException.Kind.UNUSABLE,
                        "its configuration asks for ${" + name + "}, which is not in the drone's environment");
            }
        }
        Map<String, String> filled = new LinkedHashMap<>();
        texts.forEach((key, text) -> filled.put(
                key,
                VARIABLE.matcher(text)
                        .replaceAll(match -> Matcher.quoteReplacement(environment.getOrDefault(match.group(1), "")))));
        return filled;
    }
}
