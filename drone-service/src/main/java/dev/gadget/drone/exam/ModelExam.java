package dev.gadget.drone.exam;

import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ModelProviders;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.drone.tool.Toolbox;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.work.ProviderSpec;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;

/** Examines a model at its endpoint, over the code that turns go over, and says what it can do. */
@ApplicationScoped
public class ModelExam {
    /** How long it takes at most when nobody says otherwise. */
    public static final int STANDARD_SECONDS = 300;

    private static final int PROBES = 4;

    private final ModelProviders providers;
    private final Toolbox tools;

    public ModelExam(ModelProviders providers, Toolbox tools) {
        this.providers = providers;
        this.tools = tools;
    }

    /**
     * Examines on the calling thread. When the time is over, what is known by then is the profile.
     *
     * @throws ProviderException when the model cannot be asked at all, or the exam was cancelled
     */
    public ModelProfile examine(
            ProviderSpec provider, String model, Duration most, Consumer<ExamProgress> progress, CancelSignal cancel)
            throws ProviderException {
        try (var room = new ExamRoom(providers.of(provider.type()), provider, model, most, cancel)) {
            tell(progress, 0, "answers …");
            SpeechProbe.Found speech = SpeechProbe.run(room);
            tell(progress, 1, "answers: " + speech);
            CallProbe.Found calls = CallProbe.run(room, tools);
            tell(progress, 2, "tool calls: " + calls);
            EditProbe.Found edits = calls.calls()
                    ? new EditProbe(room).run()
                    : new EditProbe.Found(null, "not measured, because it calls no tools");
            tell(progress, 3, "edits: " + edits);
            ContextProbe.Found context = new ContextProbe(room).run();
            tell(progress, PROBES, "context: " + context);
            return new ModelProfile(
                    speech.streaming(),
                    calls.toolCalling(),
                    calls.arguments(),
                    speech.thinking(),
                    context.contextTokens(),
                    context.reportedTokens(),
                    edits.edits(),
                    speech.firstTokenMillis(),
                    speech.tokensPerSecond() > 0 ? speech.tokensPerSecond() : null,
                    Instant.now().truncatedTo(ChronoUnit.MILLIS),
                    context.atLeast());
        }
    }

    private static void tell(Consumer<ExamProgress> progress, int done, String text) {
        progress.accept(new ExamProgress(done, PROBES, text));
    }
}
