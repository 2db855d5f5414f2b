package dev.gadget.code.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.InvalidNullException;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.api.Problem;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is wrong with a JSON body, in words that name the field and no class of ours. */
final class JsonProblems {
    private static final int MAX_QUOTED = 80;

    private JsonProblems() {}

    static Problem of(JsonProcessingException failure) {
        Optional<String> field = field(failure);
        return switch (failure) {
            case UnrecognizedPropertyException unknown ->
                Problems.of(
                        FailureCode.UNKNOWN_FIELD,
                        "There is no field '" + quoted(unknown.getPropertyName()) + "' here. Known are: "
                                + known(unknown) + ".",
                        field);
            case InvalidNullException _ -> invalid("The field has to have a value.", field);
            case InvalidFormatException format -> invalid(expected(format), field);
            case InvalidTypeIdException _ -> invalid("The type is not one that is known here.", field);
            case ValueInstantiationException value -> invalid(reason(value), field);
            case MismatchedInputException mismatch when field.isPresent() -> invalid(mismatch(mismatch), field);
            case MismatchedInputException _ ->
                Problems.of(
                        FailureCode.MALFORMED_REQUEST,
                        "The body has to be one JSON object of the shape of this request.",
                        field);
            case InputCoercionException number -> invalid("The number is too large or too small.", open(number));
            case JsonMappingException mapping
            when mapping.getCause() instanceof InputCoercionException ->
                invalid("The number is too large or too small.", field);
            default -> malformed(failure);
        };
    }

    /** The field that was being read when the parser itself refused it. */
    private static Optional<String> open(InputCoercionException failure) {
        JsonParser parser = failure.getProcessor();
        return parser == null
                ? Optional.empty()
                : Optional.of(parser.getParsingContext().pathAsPointer().toString())
                        .filter(path -> path.length() > 1)
                        .map(path -> quoted(path.substring(1).replace('/', '.')));
    }

    private static Problem malformed(JsonProcessingException failure) {
        String where = failure.getLocation() == null
                ? ""
                : " Line " + failure.getLocation().getLineNr() + ", column "
                        + failure.getLocation().getColumnNr() + ".";
        return Problems.of(
                FailureCode.MALFORMED_REQUEST, "The body is not well-formed JSON." + where, Optional.empty());
    }

    private static Problem invalid(String detail, Optional<String> field) {
        return Problems.of(FailureCode.INVALID_FIELD, detail, field);
    }

    /** Where in the body, for example {@code limits.rounds} or {@code items[2].name}. */
    private static Optional<String> field(JsonProcessingException failure) {
        if (!(failure instanceof JsonMappingException mapping)) {
            return Optional.empty();
        }
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference step : mapping.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(quoted(step.getFieldName()));
            }
        }
        return path.isEmpty() ? Optional.empty() : Optional.of(path.toString());
    }

    private static String known(UnrecognizedPropertyException unknown) {
        return unknown.getKnownPropertyIds() == null
                ? "none"
                : unknown.getKnownPropertyIds().stream()
                        .map(String::valueOf)
                        .sorted()
                        .collect(Collectors.joining(", "));
    }

    private static String expected(InvalidFormatException format) {
        Class<?> type = format.getTargetType();
        if (type != null && type.isEnum()) {
            return "The value has to be one of: " + values(type) + ".";
        }
        return "The value has to be " + kind(type) + ".";
    }

    private static String values(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }

    /** A component that is missing is told as a mismatch without a value. */
    private static String mismatch(MismatchedInputException mismatch) {
        return String.valueOf(mismatch.getOriginalMessage()).startsWith("Missing required creator property")
                ? "The field is missing."
                : "The value has to be " + kind(mismatch.getTargetType()) + ".";
    }

    private static String kind(Class<?> type) {
        if (type == null) {
            return "of another type";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return "a number"
                    + (type == int.class || type == Integer.class || type == long.class || type == Long.class
                            ? " without a fraction"
                            : "");
        }
        if (CharSequence.class.isAssignableFrom(type) || type.isEnum()) {
            return "a text";
        }
        if (Iterable.class.isAssignableFrom(type) || type.isArray()) {
            return "a list";
        }
        return type.getName().startsWith("java.time.")
                ? "a date and time in ISO 8601"
                : "of the type that this field has";
    }

    /** Only what our own records say of a wrong value may be shown. */
    private static String reason(ValueInstantiationException value) {
        return value.getCause() instanceof IllegalArgumentException ours && ours.getMessage() != null
                ? quoted(ours.getMessage(), 300) + "."
                : "The value is not one that is possible here.";
    }

    private static String quoted(String text) {
        return quoted(text, MAX_QUOTED);
    }

    private static String quoted(String text, int max) {
        String head = text.length() > max ? text.substring(0, max) + "…" : text;
        return head.replaceAll("\\p{Cntrl}", "?");
    }
}
