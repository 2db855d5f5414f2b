package dev.gadget.code.provider;

import dev.gadget.code.account.Callers;
import dev.gadget.code.audit.AuditLog;
import dev.gadget.code.http.Created;
import dev.gadget.code.http.Paging;
import dev.gadget.model.ProviderId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AuditApi.AuditKind;
import dev.gadget.model.api.Page;
import dev.gadget.model.api.ProviderApi.CreateProvider;
import dev.gadget.model.api.ProviderApi.ModelView;
import dev.gadget.model.api.ProviderApi.ProfileView;
import dev.gadget.model.api.ProviderApi.ProviderView;
import dev.gadget.model.api.ProviderApi.UpdateProvider;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Model providers over HTTP; a key goes in and never comes out. */
@Path("/api/v1/providers")
@RolesAllowed("person")
@RunOnVirtualThread
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "providers")
public class ProviderResource {
    private final SecurityIdentity identity;
    private final Providers providers;
    private final ModelCatalog catalog;
    private final AuditLog audit;

    ProviderResource(SecurityIdentity identity, Providers providers, ModelCatalog catalog, AuditLog audit) {
        this.identity = identity;
        this.providers = providers;
        this.catalog = catalog;
        this.audit = audit;
    }

    @GET
    @Operation(summary = "Your providers, newest first")
    public Page<ProviderView> list(@BeanParam Paging paging) {
        return paging.page(providers.list(owner(), paging.after(), paging.limit()), ProviderResource::view);
    }

    @POST
    @Operation(summary = "Set up a provider")
    @APIResponse(responseCode = "201", content = @Content(schema = @Schema(implementation = ProviderView.class)))
    public Response create(CreateProvider wanted) {
        Provider made = providers.create(owner(), wanted);
        audit.note(owner(), AuditKind.PROVIDER_CREATED, made.id(), named(made));
        return Created.at("/api/v1/providers/" + made.id(), view(made));
    }

    @GET
    @Path("/{id}")
    @Operation(summary = "One provider, without its key")
    public ProviderView get(@PathParam("id") ProviderId id) {
        return view(providers.get(owner(), id));
    }

    @PATCH
    @Path("/{id}")
    @Operation(
            summary =
                    "Change a provider: what is absent stays, an empty key is taken away; another server needs its key again")
    public ProviderView update(@PathParam("id") ProviderId id, UpdateProvider update) {
        Provider changed = providers.update(owner(), id, update);
        audit.note(
                owner(),
                AuditKind.PROVIDER_CHANGED,
                id,
                named(changed) + (update.apiKey() == null ? "" : ", another key"));
        return view(changed);
    }

    @DELETE
    @Path("/{id}")
    @Operation(summary = "Delete a provider with its key")
    public void delete(@PathParam("id") ProviderId id) {
        providers.delete(owner(), id);
        audit.note(owner(), AuditKind.PROVIDER_DELETED, id);
    }

    @GET
    @Path("/{id}/models")
    @Operation(summary = "The models that the provider offers now; it is asked")
    public Page<ModelView> models(@PathParam("id") ProviderId id) {
        Provider provider = providers.get(owner(), id);
        return new Page<>(
                catalog.models(provider.type(), provider.baseUrl(), providers.key(provider)).stream()
                        .map(ModelView::new)
                        .toList(),
                null);
    }

    @GET
    @Path("/{id}/profiles")
    @Operation(summary = "What exams found the provider's models to do")
    public Page<ProfileView> profiles(@PathParam("id") ProviderId id) {
        return new Page<>(
                providers.examined(owner(), id).stream()
                        .map(examined -> new ProfileView(examined.model(), examined.profile()))
                        .toList(),
                null);
    }

    private static String named(Provider provider) {
        return provider.name() + " at " + provider.baseUrl();
    }

    private static ProviderView view(Provider provider) {
        return new ProviderView(
                provider.id(),
                provider.name(),
                provider.type(),
                provider.baseUrl(),
                provider.sealedKey() != null,
                provider.defaultModel(),
                provider.disableStreaming(),
                provider.prices(),
                provider.createdAt());
    }

    private UserId owner() {
        return Callers.of(identity).userId();
    }
}
