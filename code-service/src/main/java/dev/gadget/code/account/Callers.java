package dev.gadget.code.account;

import io.quarkus.security.identity.SecurityIdentity;

/** Finds the caller in the identity that the authentication mechanism made. */
public final class Callers {
    /** The identity's attribute that holds the caller. */
    static final String ATTRIBUTE = "gadget.caller";

    private Callers() {}

    /** Who it is; an identity that is not authenticated has none, which is an error of the endpoint that let it in. */
    public static Caller of(SecurityIdentity identity) {
        Caller caller = identity.getAttribute(ATTRIBUTE);
        if (caller == null) {
            throw new IllegalStateException("nobody is signed in here; the endpoint has to ask for a role");
        }
        return caller;
    }
}
