package dev.gadget.scripted;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Runs the scripted provider as a program: the demo provider. */
public final class ScriptedProviderMain {
    static final String HELP = """
            Usage: java -jar gadget-scripted-provider.jar [--port N] [--host ADDRESS] [--model NAME] [--port-file FILE]

            A model provider that plays scripts, for demos, tests and benchmarks. It speaks the OpenAI wire under /v1 and Ollama's
            under /api. Whatever is prompted, it plays the demo; [[name]] in the prompt plays another script, [[help]] lists them.

              --port N          0 (the default) is a free one; it is printed, and written to --port-file
              --host ADDRESS    127.0.0.1 by default
              --model NAME      the name of its one model, "demo" by default
            """;

    private final String host;
    private final int port;
    private final String model;
    private final @Nullable Path portFile;

    private ScriptedProviderMain(String host, int port, String model, @Nullable Path portFile) {
        this.host = host;
        this.port = port;
        this.model = model;
        this.portFile = portFile;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        if (List.of(args).contains("--help")) {
            System.out.print(HELP);
            return;
        }
        try {
            parsed(args).run();
        } catch (IllegalArgumentException | java.io.UncheckedIOException e) {
            System.err.println(e.getMessage());
            System.exit(2);
        }
    }

    private static ScriptedProviderMain parsed(String[] args) {
        String host = "127.0.0.1";
        int port = 0;
        String model = "demo";
        Path portFile = null;
        for (int i = 0; i < args.length; i += 2) {
            if (i + 1 == args.length) {
                throw new IllegalArgumentException(args[i] + " needs a value; see --help");
            }
            switch (args[i]) {
                case "--port" -> port = port(args[i + 1]);
                case "--host" -> host = args[i + 1];
                case "--model" -> model = args[i + 1];
                case "--port-file" -> portFile = Path.of(args[i + 1]);
                default -> throw new IllegalArgumentException("Unknown option " + args[i] + "; see --help");
            }
        }
        return new ScriptedProviderMain(host, port, model, portFile);
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // said below, with the bounds
        }
        throw new IllegalArgumentException("--port takes a number from 0 to 65535, not " + text);
    }

    private void run() throws IOException, InterruptedException {
        try (ScriptedProvider provider = ScriptedProvider.start(Script.marked(), host, port, List.of(model))) {
            if (portFile != null) {
                Path temp = portFile.resolveSibling(portFile.getFileName() + ".tmp");
                Files.writeString(temp, provider.port() + "\n");
                Files.move(temp, portFile, StandardCopyOption.ATOMIC_MOVE);
            }
            System.out.println("Scripted provider ready: OpenAI wire on http://" + host + ":" + provider.port()
                    + "/v1, Ollama wire on http://" + host + ":" + provider.port() + ", model " + model);
            new CountDownLatch(1).await(); // until the process is told to stop
        }
    }
}
