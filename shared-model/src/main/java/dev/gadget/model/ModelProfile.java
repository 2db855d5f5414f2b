package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a model at an endpoint was seen to do in an exam; what could not be measured is absent.
 *
 * @param streaming whether its answers come piece by piece
 * @param arguments tool calls that it made with well-formed arguments, of the calls that it was asked for
 * @param thinking whether it tells its thinking apart from its answer
 * @param contextTokens how long a prompt and its answer can count on being together
 * @param contextAtLeast how long a prompt was seen to be read to its beginning, where nothing says how much longer it may be
 * @param reportedContextTokens the same as the endpoint says it of itself, which need not be true
 * @param edits small edits that left the file as it was wanted
 * @param firstTokenMillis how long a short prompt waited for the first piece of its answer
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ModelProfile(
        @Nullable Boolean streaming,
        @Nullable ToolCalling toolCalling,
        @Nullable Score arguments,
        @Nullable Boolean thinking,
        @Nullable Integer contextTokens,
        @Nullable Integer reportedContextTokens,
        @Nullable Score edits,
        @Nullable Integer firstTokenMillis,
        @Nullable Double tokensPerSecond,
        Instant examinedAt,
        @Nullable Integer contextAtLeast) {
    public ModelProfile {
        positive("contextAtLeast", contextAtLeast);
        positive("contextTokens", contextTokens);
        positive("reportedContextTokens", reportedContextTokens);
    }

    /** One whose context is known, or not at all. */
    public ModelProfile(
            @Nullable Boolean streaming,
            @Nullable ToolCalling toolCalling,
            @Nullable Score arguments,
            @Nullable Boolean thinking,
            @Nullable Integer contextTokens,
            @Nullable Integer reportedContextTokens,
            @Nullable Score edits,
            @Nullable Integer firstTokenMillis,
            @Nullable Double tokensPerSecond,
            Instant examinedAt) {
        this(
                streaming,
                toolCalling,
                arguments,
                thinking,
                contextTokens,
                reportedContextTokens,
                edits,
                firstTokenMillis,
                tokensPerSecond,
                examinedAt,
                null);
    }

    /** Of a model of which nothing was measured, and only this is known. */
    public static ModelProfile ofContext(int contextTokens, Instant at) {
        return new ModelProfile(null, null, null, null, contextTokens, null, null, null, null, at);
    }

    /** The same with a context of this length. */
    public ModelProfile withContext(int tokens) {
        return new ModelProfile(
                streaming,
                toolCalling,
                arguments,
                thinking,
                tokens,
                reportedContextTokens,
                edits,
                firstTokenMillis,
                tokensPerSecond,
                examinedAt);
    }

    private static void positive(String name, @Nullable Integer value) {
        if (value != null && value < 1) {
            throw new IllegalArgumentException(name + " has to be at least 1, but is " + value);
        }
    }

    /** How a model calls tools. */
    public enum ToolCalling {
        /** The endpoint tells its calls apart from its text. */
        @JsonProperty("native")
        NATIVE,
        /** It writes calls into its text, some or all, in a form that the drone reads. */
        @JsonProperty("text")
        TEXT,
        /** It called nothing. */
        @JsonProperty("none")
        NONE
    }

    /** So many of so many tries went well. */
    public record Score(int passed, int of) {
        public Score {
            if (passed < 0 || passed > of) {
                throw new IllegalArgumentException("passed has to be from 0 to " + of + ", but is " + passed);
            }
        }

        @Override
        public String toString() {
            return passed + "/" + of;
        }
    }
}
