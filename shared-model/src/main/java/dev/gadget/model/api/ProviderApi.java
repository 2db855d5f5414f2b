package dev.gadget.model.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.ModelPrice;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ProviderId;
import dev.gadget.model.ProviderType;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bodies about model providers. */
public final class ProviderApi {
    private ProviderApi() {}

    /** POST /providers; the key is written and never read back. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record CreateProvider(
            String name,
            ProviderType type,
            String baseUrl,
            @Nullable String apiKey,
            @Nullable String defaultModel,
            @Nullable Boolean disableStreaming,
            @Nullable List<ModelPrice> prices) {
        @Override
        public String toString() {
            return "CreateProvider[" + name + " " + type + " " + baseUrl + "]";
        }
    }

    /** PATCH /providers/{id}: what is absent stays; an empty key removes it. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record UpdateProvider(
            @Nullable String name,
            @Nullable String baseUrl,
            @Nullable String apiKey,
            @Nullable String defaultModel,
            @Nullable Boolean disableStreaming,
            @Nullable List<ModelPrice> prices) {
        @Override
        public String toString() {
            return "UpdateProvider[" + name + " " + baseUrl + "]";
        }
    }

    /** One provider, without its key. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ProviderView(
            ProviderId id,
            String name,
            ProviderType type,
            String baseUrl,
            boolean hasApiKey,
            @Nullable String defaultModel,
            boolean disableStreaming,
            List<ModelPrice> prices,
            Instant createdAt) {}

    /** One model that a provider offers. */
    public record ModelView(String id) {}

    /** What an exam found a model of the provider to do. */
    public record ProfileView(String model, ModelProfile profile) {}

    /** POST /providers/{id}/exams: without a drone, one of the person's that is free. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record StartExam(String model, @Nullable DroneId droneId) {}

    /**
     * One exam of a model, as it stands.
     *
     * @param done how many of its probes are over, {@code of} how many there are
     * @param text what was found last, or is tried now
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ExamView(
            String id,
            String model,
            DroneId droneId,
            ExamStatus status,
            int done,
            int of,
            String text,
            @Nullable Failure failure,
            @Nullable ModelProfile profile) {}

    /** Whether an exam goes on, and how it ended. */
    public enum ExamStatus {
        /** A drone asks the model. */
        @JsonProperty("running")
        RUNNING,
        /** There is a profile, and it is stored. */
        @JsonProperty("done")
        DONE,
        /** There is none, and {@code failure} says why. */
        @JsonProperty("failed")
        FAILED
    }
}
