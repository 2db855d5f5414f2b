package dev.gadget.model.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.RoundUsage;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bodies about what turns went to: time, tokens, tools. */
public final class AnalyticsApi {
    private AnalyticsApi() {}

    /** What a turn does at a moment; of several the first in this order. */
    public enum Activity {
        /** A tool runs. */
        @JsonProperty("tool")
        TOOL,
        /** A call waits for a person, and nothing runs. */
        @JsonProperty("person")
        PERSON,
        /** The model thinks. */
        @JsonProperty("thinking")
        THINKING,
        /** The model responds. */
        @JsonProperty("responding")
        RESPONDING,
        /** Nothing of these: the turn waits for a drone, or the drone for the model. */
        @JsonProperty("waiting")
        WAITING
    }

    /** Milliseconds by what was done; together they are the time that the turn took. */
    public record ActivityTimes(long thinking, long responding, long tool, long person, long waiting) {
        public static final ActivityTimes NONE = new ActivityTimes(0, 0, 0, 0, 0);

        /** Both together. */
        public ActivityTimes plus(ActivityTimes more) {
            return new ActivityTimes(
                    thinking + more.thinking,
                    responding + more.responding,
                    tool + more.tool,
                    person + more.person,
                    waiting + more.waiting);
        }
    }

    /**
     * A time in which a turn did one thing.
     *
     * @param fromMillis since the turn began
     * @param tool which tool ran, or waited for a person
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Stretch(
            Activity activity,
            long fromMillis,
            long millis,
            @Nullable String tool) {}

    /**
     * What calls of one tool came to.
     *
     * @param denied calls that were not run
     * @param millis how long its calls ran, each for itself
     */
    public record ToolFigures(String name, int calls, int failed, int denied, long millis, long longestMillis) {}

    /**
     * What one turn went to.
     *
     * @param prompt how it begins
     * @param millis how long it took, up to now when it has not ended
     */
    public record TurnFigures(
            TurnId turnId,
            String prompt,
            TurnStatus status,
            String model,
            Instant createdAt,
            long millis,
            ActivityTimes times,
            Usage usage,
            int rounds,
            int modeTransitions,
            int toolCalls,
            int toolFailures) {}

    /**
     * GET /turns/{id}/analytics.
     *
     * @param rounds tokens by rounds, where they were kept
     * @param timeline what it did when, without gaps
     * @param cut whether the timeline is longer than what is told of it
     */
    public record TurnAnalytics(
            TurnFigures turn, List<RoundUsage> rounds, List<Stretch> timeline, boolean cut, List<ToolFigures> tools) {}

    /**
     * GET /sessions/{id}/analytics. The sums leave out what a branch has from before it was made.
     *
     * @param turns the latest of them, oldest first
     * @param leftOut how many older ones are not counted
     */
    public record SessionAnalytics(
            List<TurnFigures> turns, int leftOut, ActivityTimes times, Usage usage, List<ToolFigures> tools) {}
}
