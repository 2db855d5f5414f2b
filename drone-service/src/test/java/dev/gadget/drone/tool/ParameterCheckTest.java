package dev.gadget.drone.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.drone.tool.ParameterCheck.Outcome;
import dev.gadget.model.turn.ToolEffect;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ParameterCheckTest {
    private static final Tool TOOL = painting(false);

    /** A tool whose schema says nothing of further parameters, as those of others often do. */
    private static final Tool OPEN = painting(true);

    private static Tool painting(boolean open) {
        return new Painting(open);
    }

    private record Painting(boolean open) implements Tool {
        @Override
        public ToolSpec spec() {
            return new ToolSpec(
                    "paint",
                    "Paints.",
                    Map.of(
                            "type",
                            "object",
                            "properties",
                            Map.of(
                                    "colour", Map.of("type", "string", "enum", List.of("red", "blue")),
                                    "coats", Map.of("type", "integer", "minimum", 1, "maximum", 9),
                                    "dry", Map.of("type", "boolean"),
                                    "note", Map.of("type", "string"),
                                    "seed", Map.of("type", "integer"),
                                    "size", Map.of("minimum", 0.5)),
                            "required",
                            List.of("colour"),
                            "additionalProperties",
                            open));
        }

        @Override
        public ToolEffect effect() {
            return ToolEffect.READS;
        }

        @Override
        public Map<String, Object> example() {
            return Map.of("colour", "red");
        }

        @Override
        public Map<String, String> aliases() {
            return Map.of("color", "colour");
        }

        @Override
        public ToolResult run(ToolInvocation call) {
            return ToolResult.done("");
        }
    }

    private static Object check(Map<String, Object> given) {
        return check(TOOL, given);
    }

    private static Object check(Tool tool, Map<String, Object> given) {
        return switch (ParameterCheck.check(tool, given)) {
            case Outcome.Fine fine -> fine.parameters();
            case Outcome.Wrong wrong -> wrong.message();
        };
    }

    @Test
    @DisplayName("what is meant plainly is taken: numbers and flags as text, whole decimals, other names")
    void lenient() {
        assertThat(check(Map.of("colour", "red", "coats", "5", "dry", "true", "note", 7)))
                .isEqualTo(Map.of("colour", "red", "coats", 5, "dry", true, "note", "7"));
        assertThat(check(Map.of("color", "blue", "coats", 2.0))).isEqualTo(Map.of("colour", "blue", "coats", 2));
    }

    @Test
    @DisplayName("what is wrong is told all at once, with the parameters and a good call")
    void strict() {
        assertThat(check(Map.of("coats", 2.5, "dry", "maybe", "shape", 1)).toString())
                .contains(
                        "`colour` is missing",
                        "`coats` has to be of type integer, but is 2.5",
                        "`dry` has to be of type boolean, but is \"maybe\"",
                        "`shape` is not a parameter",
                        "Example of the arguments: {\"colour\":\"red\"}");
        assertThat(check(Map.of("colour", "green")).toString()).contains("one of [red, blue], but is \"green\"");
        assertThat(check(Map.of("colour", "red", "coats", 0)).toString()).contains("at least 1, but is 0");
        assertThat(check(Map.of("colour", "red", "coats", 10)).toString()).contains("at most 9");
        assertThat(check(Map.of("colour", List.of("x".repeat(500)))).toString()).hasSizeLessThan(400);
        assertThat(check(Map.of("colour", "red", "coats", "99999999999")).toString())
                .contains("at most 9, but is 99999999999");
        assertThat(check(Map.of("colour", "red", "seed", "9".repeat(30))).toString())
                .contains("of type integer");
    }

    @Test
    @DisplayName("a schema that takes more than it names gets more; numbers may be long, broken or without a type")
    void open() {
        assertThat(check(OPEN, Map.of("colour", "red", "shape", List.of(1))))
                .isEqualTo(Map.of("colour", "red", "shape", List.of(1)));
        assertThat(check(OPEN, Map.of("colour", "red", "seed", 5_000_000_000L, "size", 0.75)))
                .isEqualTo(Map.of("colour", "red", "seed", 5_000_000_000L, "size", 0.75));
        assertThat(check(OPEN, Map.of("colour", "red", "size", 0.25)).toString())
                .contains("at least 0.5");
        assertThat(check(OPEN, Map.of("colour", "red", "size", Double.NEGATIVE_INFINITY))
                        .toString())
                .contains("at least 0.5");
        assertThat(check(OPEN, Map.of()).toString()).contains("`colour` is missing", "size (any)");
    }
}
