package dev.gadget.scripted;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.scripted.ReceivedRequest.Ending;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A model provider on a port of its own that answers on both wires with what its script says, faults included. */
public final class ScriptedProvider implements AutoCloseable {
    private static final int REMEMBERED = 1000;
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    private final ServerSocket server;
    private final Script script;
    private final List<String> models;
    private final Deque<ReceivedRequest> requests = new ArrayDeque<>();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private ScriptedProvider(ServerSocket server, Script script, List<String> models) {
        this.server = server;
        this.script = script;
        this.models = List.copyOf(models);
    }

    /** Starts on a free port of the loopback address. */
    public static ScriptedProvider start(Script script) {
        return start(script, "127.0.0.1", 0, List.of("scripted"));
    }

    /** Starts where told, with these models on its list; port 0 is a free one. */
    public static ScriptedProvider start(Script script, String host, int port, List<String> models) {
        try {
            ServerSocket server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getByName(host), port), 256);
            ScriptedProvider provider = new ScriptedProvider(server, script, models);
            // Threads of the system: a virtual one that is ready may wait 30 s for its turn (JDK-8373118).
            Thread.ofPlatform().daemon().name("scripted-provider").start(provider::accept);
            return provider;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot listen on " + host + ":" + port + "; choose another port", e);
        }
    }

    /** A port of the loopback address on which nobody listens. */
    public static int refusingPort() {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return server.getLocalPort();
    }

    /** The base URL of the OpenAI wire. */
    public String openAiUrl() {
        return ollamaUrl() + "/v1";
    }

    /** The base URL of Ollama's wire. */
    public String ollamaUrl() {
        return "http://127.0.0.1:" + port();
    }

    /** What was received, oldest first; only the last thousand are kept. */
    public List<ReceivedRequest> requests() {
        synchronized (requests) {
            return List.copyOf(requests);
        }
    }

    /** The chat requests among them. */
    public List<ReceivedRequest> chats() {
        return requests().stream().filter(r -> isChat(r.path())).toList();
    }

    @Override
    public void close() {
        closed = true;
        try {
            server.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() {
        while (!closed) {
            try {
                Socket socket = server.accept();
                sockets.add(socket);
                if (closed) {
                    socket.close();
                }
                Thread.ofPlatform().daemon().name("scripted-connection").start(() -> serve(socket));
            } catch (IOException e) {
                if (!closed) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (Connection connection = new Connection(socket)) {
            boolean more = true;
            while (more && !closed) {
                HttpReader.Raw raw = connection.next();
                more = raw != null && answer(connection, raw);
            }
        } catch (IOException | NumberFormatException e) {
            return; // the connection is over, one way or the other; what was asked on it is recorded
        } finally {
            sockets.remove(socket);
        }
    }

    private boolean answer(Connection connection, HttpReader.Raw raw) throws IOException {
        JsonNode body;
        try {
            body = raw.body().length == 0 ? MissingNode.getInstance() : Json.MAPPER.readTree(raw.body());
        } catch (JsonProcessingException e) {
            connection.send(
                    400, JSON, wire(raw.path(), "", "").error(400, "invalid_request_error", "The body is not JSON"));
            return true;
        }
        ReceivedRequest request =
                new ReceivedRequest(raw.method(), raw.path(), raw.headers(), body, new CompletableFuture<>());
        remember(request);
        Ending ending = Ending.CLIENT_LEFT;
        try {
            boolean more = isChat(raw.path()) ? chat(connection, request) : other(connection, request);
            ending = Ending.PLAYED;
            return more;
        } finally {
            request.ending().complete(closed && ending != Ending.PLAYED ? Ending.PROVIDER_CLOSED : ending);
        }
    }

    private void remember(ReceivedRequest request) {
        synchronized (requests) {
            if (requests.size() == REMEMBERED) {
                requests.removeFirst();
            }
            requests.addLast(request);
        }
    }

    private static boolean isChat(String path) {
        return path.equals("/v1/chat/completions") || path.equals("/api/chat");
    }

    private static Wire wire(String path, String model, String reasoningField) {
        return path.startsWith("/api/") ? new OllamaWire(model) : new OpenAiWire(model, reasoningField);
    }

    private boolean chat(Connection connection, ReceivedRequest request) throws IOException {
        Reply reply = script.reply(request);
        Wire wire = wire(request.path(), request.model(), reply.reasoningField());
        return new Player(connection, wire, request, reply).play();
    }

    private boolean other(Connection connection, ReceivedRequest request) throws IOException {
        switch (request.path()) {
            case "/v1/models" -> connection.send(200, JSON, openAiModels());
            case "/api/tags" -> connection.send(200, JSON, ollamaModels());
            case "/api/version" -> connection.send(200, JSON, "{\"version\":\"0.33.0\"}");
            case "/api/show" -> connection.send(200, JSON, shown());
            case "/", "/health" -> connection.send(200, Map.of("Content-Type", "text/plain"), "Scripted provider\n");
            default -> connection.send(404, Map.of("Content-Type", "text/plain"), "404 page not found");
        }
        return true;
    }

    private String openAiModels() {
        ObjectNode root = Json.object().put("object", "list");
        ArrayNode data = root.putArray("data");
        models.forEach(model -> data.addObject().put("id", model).put("object", "model"));
        return root.toString();
    }

    private String ollamaModels() {
        ObjectNode root = Json.object();
        ArrayNode array = root.putArray("models");
        models.forEach(model -> array.addObject().put("name", model).put("model", model));
        return root.toString();
    }

    private static String shown() {
        ObjectNode root = Json.object();
        root.putArray("capabilities").add("completion").add("tools").add("thinking");
        root.putObject("model_info").put("general.architecture", "scripted").put("scripted.context_length", 32768);
        return root.toString();
    }
}
