package dev.gadget.code.store.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.gadget.code.config.CodeConfig;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.store.StoreState;
import dev.gadget.code.store.embedded.EmbeddedStore;
import dev.gadget.model.api.SystemApi.StoreKind;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Default;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.bson.BsonDocument;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready is a service whose store answers a read in time and takes writes. */
@Readiness
@Default
@ApplicationScoped
public class StoreReadiness implements HealthCheck, StoreState {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final MongoCollection<BsonDocument> any;
    private final EmbeddedStore embedded;
    private final StoreKind kind;

    StoreReadiness(StoreDatabase database, EmbeddedStore embedded, CodeConfig config) {
        this.any = database.collection("accounts", BsonDocument.class);
        this.embedded = embedded;
        this.kind = config.store().mongodbUrl().isPresent() ? StoreKind.MONGODB : StoreKind.EMBEDDED;
    }

    @Override
    public HealthCheckResponse call() {
        var response = HealthCheckResponse.named("store");
        Optional<String> trouble = trouble();
        trouble.ifPresent(why -> response.withData("reason", why));
        return response.status(trouble.isEmpty()).build();
    }

    @Override
    public StoreKind kind() {
        return kind;
    }

    @Override
    public Optional<String> trouble() {
        return embedded.trouble().or(this::unanswered);
    }

    @Override
    public long calls() {
        return StoreCalls.CALLS.sum();
    }

    @Override
    public long failures() {
        return StoreCalls.FAILURES.sum();
    }

    /** On a thread of its own, which ends with the driver's own timeout when the store is stuck. */
    private Optional<String> unanswered() {
        var answer = new CompletableFuture<Void>();
        Thread.startVirtualThread(() -> {
            try {
                StoreCalls.run("read", () -> any.find(Filters.eq("_id", "")).first());
                answer.complete(null);
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        try {
            answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (TimeoutException e) {
            return Optional.of("The store does not answer within " + PATIENCE.toSeconds() + " seconds.");
        } catch (ExecutionException e) {
            return Optional.of(
                    e.getCause() instanceof StoreException
                            ? "The store does not answer as it should."
                            : "The store cannot be asked.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("The service is stopping.");
        }
    }
}
