package dev.gadget.drone.tool;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks the parameters of a call against the schema of its tool, once for all tools. Where the meaning is plain the type is
 * put right ("5" for 5); otherwise the answer says what is wrong and shows a good call, so that a small model finds its way.
 */
public final class ParameterCheck {
    /** What came of it. */
    public sealed interface Outcome {
        /** The parameters as the tool takes them. */
        record Fine(Map<String, Object> parameters) implements Outcome {}

        /** What to tell the model. */
        record Wrong(String message) implements Outcome {}
    }

    private ParameterCheck() {}

    /** Checks the parameters of one call. */
    public static Outcome check(Tool tool, Map<String, Object> given) {
        Map<String, Map<String, Object>> properties = properties(tool);
        List<String> wrong = new ArrayList<>();
        Map<String, Object> fine = new LinkedHashMap<>();
        named(tool, properties, given).forEach((name, value) -> {
            Map<String, Object> property = properties.get(name);
            if (property == null && closed(tool)) {
                wrong.add("`" + name + "` is not a parameter");
            } else if (property == null) {
                fine.put(name, value);
            } else if (value != null) {
                Object typed = typed(name, property, value, wrong);
                if (typed != null) {
                    fine.put(name, typed);
                }
            }
        });
        for (String name : required(tool)) {
            if (!fine.containsKey(name) && wrong.stream().noneMatch(text -> text.startsWith("`" + name + "`"))) {
                wrong.add("`" + name + "` is missing");
            }
        }
        return wrong.isEmpty()
                ? new Outcome.Fine(Collections.unmodifiableMap(fine))
                : new Outcome.Wrong(String.join("; ", wrong) + ". " + usage(tool));
    }

    /** The parameters of a tool and one good call, in two lines. */
    public static String usage(Tool tool) {
        Collection<String> required = required(tool);
        String parameters = properties(tool).entrySet().stream()
                .map(entry -> entry.getKey() + " (" + entry.getValue().getOrDefault("type", "any")
                        + (required.contains(entry.getKey()) ? ", required" : "") + ")")
                .collect(Collectors.joining(", "));
        return "Parameters of " + tool.spec().name() + ": " + parameters + ".\nExample of the arguments: "
                + Arguments.write(tool.example());
    }

    private static Map<String, Object> named(
            Tool tool, Map<String, Map<String, Object>> properties, Map<String, Object> given) {
        Map<String, Object> named = new LinkedHashMap<>();
        given.forEach((name, value) -> {
            String own = properties.containsKey(name) ? name : tool.aliases().getOrDefault(name, name);
            named.putIfAbsent(own, value);
        });
        return named;
    }

    private static @Nullable Object typed(String name, Map<String, Object> property, Object value, List<String> wrong) {
        Object typed = switch (String.valueOf(property.get("type"))) {
            case "string" -> value instanceof String || isScalar(value) ? value.toString() : null;
            case "integer" -> integer(value);
            case "boolean" -> flag(value);
            default -> value;
        };
        if (typed == null) {
            wrong.add("`" + name + "` has to be of type " + property.get("type") + ", but is " + shown(value));
            return null;
        }
        String outside = outside(property, typed);
        if (outside != null) {
            wrong.add("`" + name + "` has to be " + outside + ", but is " + shown(typed));
            return null;
        }
        return typed;
    }

    private static boolean isScalar(Object value) {
        return value instanceof Number || value instanceof Boolean;
    }

    private static @Nullable Number integer(Object value) {
        try {
            return switch (value) {
                case Integer number -> number;
                case Number number -> whole(number.toString());
                case String text -> whole(text.strip());
                default -> null;
            };
        } catch (ArithmeticException | NumberFormatException e) {
            return null;
        }
    }

    /** As small as it fits: a plain int for all but what a foreign tool may take. */
    private static Number whole(String text) {
        long value = new BigDecimal(text).longValueExact();
        return value == (int) value ? (Number) (int) value : value;
    }

    private static @Nullable Boolean flag(Object value) {
        if (value instanceof Boolean flag) {
            return flag;
        }
        return switch (value.toString().strip()) {
            case "true", "True" -> true;
            case "false", "False" -> false;
            default -> null;
        };
    }

    private static @Nullable String outside(Map<String, Object> property, Object value) {
        if (property.get("enum") instanceof List<?> allowed && !allowed.contains(value)) {
            return "one of " + allowed;
        }
        if (value instanceof Number number) {
            if (property.get("minimum") instanceof Number min && compare(number, min) < 0) {
                return "at least " + min;
            }
            if (property.get("maximum") instanceof Number max && compare(number, max) > 0) {
                return "at most " + max;
            }
        }
        return null;
    }

    private static int compare(Number one, Number other) {
        return Double.compare(one.doubleValue(), other.doubleValue());
    }

    /** Whether nothing but the named parameters is taken; a schema that does not say so takes more. */
    private static boolean closed(Tool tool) {
        return Boolean.FALSE.equals(tool.spec().parameters().get("additionalProperties"));
    }

    private static String shown(Object value) {
        String text = Arguments.write(value);
        return text.length() > 80 ? text.substring(0, 80) + "…" : text;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Map<String, Object>> properties(Tool tool) {
        return (Map<String, Map<String, Object>>) tool.spec().parameters().getOrDefault("properties", Map.of());
    }

    @SuppressWarnings("unchecked")
    private static Collection<String> required(Tool tool) {
        return (Collection<String>) tool.spec().parameters().getOrDefault("required", List.of());
    }
}
