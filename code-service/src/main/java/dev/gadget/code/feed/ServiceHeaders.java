package dev.gadget.code.feed;

import dev.gadget.code.turn.TurnSaver;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.ext.Provider;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Says with each answer what a page behind a socket is told: of which version the service is, and whether all that turns said is stored. */
@Provider
public class ServiceHeaders implements ContainerResponseFilter {
    private final TurnSaver saver;
    private final String version;

    ServiceHeaders(TurnSaver saver, @ConfigProperty(name = "quarkus.application.version") String version) {
        this.saver = saver;
        this.version = version;
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        // Nobody else needs to know which version has which faults.
        if (request.getSecurityContext().getUserPrincipal() != null) {
            response.getHeaders().putSingle("Gadget-Version", version);
            response.getHeaders().putSingle("Gadget-Saved", saver.saved());
        }
    }
}
