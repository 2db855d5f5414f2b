package dev.gadget.code.http;

import jakarta.ws.rs.core.Response;

/** The answer to a POST that made something. */
public final class Created {
    private Created() {}

    /** @param path where it is from now on */
    public static Response at(String path, Object body) {
        return Response.status(Response.Status.CREATED)
                .header("Location", path)
                .entity(body)
                .build();
    }
}
