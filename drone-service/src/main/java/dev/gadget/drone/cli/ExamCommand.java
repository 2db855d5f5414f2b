package dev.gadget.drone.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.exam.ModelExam;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ProviderType;
import dev.gadget.model.work.ProviderSpec;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/** Examines a model from this machine, without a code service. */
@Command(
        name = "exam",
        description = "Measures what a model at an endpoint can do: streaming, tool calls, edits, context, speed.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class)
public class ExamCommand implements Callable<Integer> {
    private static final int STOPPED = 130;
    private static final int LONGEST_SECONDS = 3600;

    private final ObjectMapper mapper;
    private final ModelExam exam;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--provider-type",
            paramLabel = "openai|ollama",
            defaultValue = "openai",
            description = "what the endpoint speaks (default: openai)")
    String type = "openai";

    @Option(
            names = "--url",
            paramLabel = "URL",
            required = true,
            description = "the endpoint: for openai up to and with /v1, for ollama the server's root")
    String url = "";

    @Option(
            names = "--key-env",
            paramLabel = "NAME",
            description = "the environment variable that holds the API key, when the endpoint wants one")
    @Nullable
    String keyEnv;

    @Option(names = "--model", paramLabel = "M", required = true, description = "the model, as the endpoint names it")
    String model = "";

    @Option(
            names = "--max-seconds",
            paramLabel = "N",
            defaultValue = "" + ModelExam.STANDARD_SECONDS,
            description = "how long it may take, 1 to 3600; what is known by then is told (default: 300)")
    int maxSeconds = ModelExam.STANDARD_SECONDS;

    @Option(names = "--json", description = "print the profile as JSON")
    boolean json;

    ExamCommand(ObjectMapper mapper, ModelExam exam) {
        this.mapper = mapper;
        this.exam = exam;
    }

    @Override
    public Integer call() {
        try {
            return examine(provider());
        } catch (IllegalArgumentException e) {
            return Failing.with(spec, String.valueOf(e.getMessage()));
        } catch (JsonProcessingException e) {
            return Failing.with(spec, "The profile cannot be written: " + e.getOriginalMessage());
        }
    }

    private ProviderSpec provider() {
        if (maxSeconds < 1 || maxSeconds > LONGEST_SECONDS) {
            throw new IllegalArgumentException(
                    "--max-seconds has to be 1 to " + LONGEST_SECONDS + ", but is " + maxSeconds + ".");
        }
        ProviderType wire = switch (type) {
            case "openai" -> ProviderType.OPENAI;
            case "ollama" -> ProviderType.OLLAMA;
            default ->
                throw new IllegalArgumentException(
                        "--provider-type has to be openai or ollama, but is '" + type + "'.");
        };
        return new ProviderSpec(wire, "exam", url, key(), null);
    }

    private @Nullable String key() {
        if (keyEnv == null) {
            return null;
        }
        String key = System.getenv(keyEnv);
        if (key == null || key.isBlank()) {
            throw new IllegalArgumentException("The environment variable " + keyEnv
                    + " of --key-env is not set. Put the API key into it, or leave the option out.");
        }
        return key;
    }

    private int examine(ProviderSpec provider) throws JsonProcessingException {
        // What is on the way goes to the other stream, so that the result can be piped.
        PrintWriter err = spec.commandLine().getErr();
        err.println("Examining " + model + " at " + url + " (" + type + "), " + maxSeconds
                + " s at most. Stop with Ctrl-C.");
        err.flush();
        var cancel = new CancelSignal();
        SignalHandler before = Signal.handle(
                new Signal("INT"),
                _ -> Thread.ofPlatform().name("stop").daemon(true).start(cancel::cancel));
        try {
            ModelProfile profile = exam.examine(
                    provider,
                    model,
                    Duration.ofSeconds(maxSeconds),
                    at -> {
                        err.println("[" + at.done() + "/" + at.of() + "] " + at.text());
                        err.flush();
                    },
                    cancel);
            PrintWriter out = spec.commandLine().getOut();
            out.print(
                    json
                            ? mapper.writerWithDefaultPrettyPrinter().writeValueAsString(profile) + "\n"
                            : ProfileTable.of(profile));
            out.flush();
            return 0;
        } catch (ProviderException e) {
            int code = Failing.with(spec, String.valueOf(e.getMessage()));
            return e.failure().code() == FailureCode.CANCELLED ? STOPPED : code;
        } finally {
            Signal.handle(new Signal("INT"), before);
        }
    }
}
