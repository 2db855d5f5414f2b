package dev.gadget.code.http;

import dev.gadget.code.RefusedException;
import dev.gadget.model.FailureCode;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.IOException;

/** An endpoint that takes a body gets one: none, and a null, are refused before it is called. */
@Provider
public class BodyIsThere implements ReaderInterceptor {
    @Override
    public Object aroundReadFrom(ReaderInterceptorContext context) throws IOException {
        Object body = context.proceed();
        if (body == null) {
            throw new RefusedException(FailureCode.MALFORMED_REQUEST, "The request has to have a JSON body.");
        }
        return body;
    }
}
