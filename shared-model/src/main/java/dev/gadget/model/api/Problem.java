package dev.gadget.model.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.gadget.model.FailureCode;
import org.jspecify.annotations.Nullable;

/**
 * An error as RFC 9457 shapes it ({@code application/problem+json}).
 *
 * @param type always {@code about:blank}
 * @param title the status in words
 * @param code the stable name of the failure
 * @param detail what was found, what was expected, what to do
 * @param field the field of the request that is wrong, when it is one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
        String type,
        String title,
        int status,
        FailureCode code,
        String detail,
        @Nullable String field) {}
