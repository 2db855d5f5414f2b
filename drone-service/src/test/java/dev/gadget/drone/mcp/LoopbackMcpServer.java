package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** An MCP server over streamable HTTP, well-behaved or not, as its path and its tools say. */
final class LoopbackMcpServer implements AutoCloseable {
    static final List<String> TOOLS = List.of(
            "echo",
            "silent",
            "never_ends",
            "huge",
            "page",
            "broken",
            "foreign_id",
            "status",
            "aborted",
            "said_and_cut",
            "asks_back");

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer http;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final CountDownLatch called = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile int session;

    LoopbackMcpServer() throws IOException {
        this(0);
    }

    LoopbackMcpServer(int port) throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        http.setExecutor(threads);
        http.createContext("/", exchange -> {
            try (exchange) {
                serve(exchange);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        http.start();
    }

    String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    int port() {
        return http.getAddress().getPort();
    }

    List<String> heard() {
        return heard;
    }

    /** From now on it knows no session of before. */
    void forget() {
        session++;
    }

    void awaitCall() {
        try {
            if (!called.await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("nobody called");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void serve(HttpExchange exchange) throws IOException, InterruptedException {
        Headers headers = exchange.getRequestHeaders();
        String given = headers.getOrDefault("Mcp-Session-Id", List.of("none")).getFirst();
        String tail = " session=" + given + " version="
                + headers.getOrDefault("MCP-Protocol-Version", List.of("none")).getFirst();
        byte[] body = exchange.getRequestBody().readAllBytes();
        String path = exchange.getRequestURI().getPath();
        if (exchange.getRequestMethod().equals("DELETE")) {
            heard.add("DELETE" + tail);
            exchange.sendResponseHeaders(204, -1);
            return;
        }
        JsonNode message = JSON.readTree(body);
        String method = message.path("method").asText("");
        String what = method.isEmpty()
                ? "response " + message.path("id").asText() + (message.has("error") ? " error" : "")
                : method;
        heard.add(what + tail);
        if (path.equals("/nowhere")) {
            exchange.sendResponseHeaders(404, -1);
        } else if (path.equals("/redirect")) {
            exchange.getResponseHeaders().set("Location", "http://127.0.0.1:1/");
            exchange.sendResponseHeaders(307, -1);
        } else if (path.equals("/secret")
                && !headers.getOrDefault("Authorization", List.of(""))
                        .getFirst()
                        .equals("Bearer t-1")) {
            exchange.sendResponseHeaders(401, -1);
        } else if (!method.equals("initialize") && !given.equals("s" + session)) {
            exchange.sendResponseHeaders(404, -1);
        } else if (!message.has("id") || method.isEmpty()) {
            exchange.sendResponseHeaders(202, -1);
        } else {
            answer(exchange, message, method, path.equals("/events"));
        }
    }

    private void answer(HttpExchange exchange, JsonNode message, String method, boolean events)
            throws IOException, InterruptedException {
        ObjectNode result = JSON.createObjectNode();
        switch (method) {
            case "initialize" -> {
                session++;
                exchange.getResponseHeaders().set("Mcp-Session-Id", "s" + session);
                result.put("protocolVersion", "2025-06-18")
                        .putObject("capabilities")
                        .putObject("tools");
            }
            case "tools/list" -> {
                ArrayNode tools = result.putArray("tools");
                TOOLS.forEach(name -> tools.addObject()
                        .put("name", name)
                        .putObject("inputSchema")
                        .put("type", "object"));
            }
            default -> {
                called.countDown();
                if (misbehaves(
                        exchange, message, message.path("params").path("name").asText(), events)) {
                    return;
                }
                result.putArray("content")
                        .addObject()
                        .put("type", "text")
                        .put(
                                "text",
                                "you said: "
                                        + message.path("params")
                                                .path("arguments")
                                                .path("text")
                                                .asText());
            }
        }
        send(exchange, response(message.path("id"), result), events);
    }

    private boolean misbehaves(HttpExchange exchange, JsonNode message, String tool, boolean events)
            throws IOException, InterruptedException {
        switch (tool) {
            case "silent" -> closed.await(50, TimeUnit.SECONDS);
            case "never_ends" -> {
                exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                exchange.sendResponseHeaders(200, 0);
                OutputStream out = exchange.getResponseBody();
                out.write(": here I am\n\n".getBytes(StandardCharsets.US_ASCII));
                out.flush();
                closed.await(50, TimeUnit.SECONDS);
            }
            case "huge" -> send(exchange, "\"" + "x".repeat(10 << 20) + "\"", events);
            case "page" -> {
                exchange.getResponseHeaders().set("Content-Type", "text/html");
                raw(exchange, 200, "<html>Sign in</html>");
            }
            case "broken" -> send(exchange, "{\"jsonrpc\":\"2.0\",\"id\":", events);
            case "foreign_id" ->
                send(exchange, "{\"jsonrpc\":\"2.0\",\"id\":77777,\"result\":{\"content\":[]}}", events);
            case "status" -> raw(exchange, 500, "{\"error\":{\"code\":1,\"message\":\"the disk is full\"}}");
            case "aborted" -> {
                exchange.sendResponseHeaders(200, 1000);
                exchange.getResponseBody().write(new byte[10]);
                exchange.getResponseBody().flush();
                // Closed before all was said.
                throw new IOException("aborted on purpose");
            }
            case "said_and_cut" -> {
                exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                exchange.sendResponseHeaders(200, 0);
                OutputStream out = exchange.getResponseBody();
                byte[] progress = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{}}\n\n"
                        .getBytes(StandardCharsets.US_ASCII);
                // In many chunks: more to read when the cut comes than the client may have taken by then.
                for (int times = 0; times < 100; times++) {
                    out.write(progress);
                    out.flush();
                }
                ObjectNode result = JSON.createObjectNode();
                result.putArray("content").addObject().put("type", "text").put("text", "all of it");
                out.write(("data: " + response(message.path("id"), result) + "\n\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
                throw new IOException("cut on purpose");
            }
            case "asks_back" -> {
                String ask = "{\"jsonrpc\":\"2.0\",\"id\":\"ping-1\",\"method\":\"ping\"}";
                String roots = "{\"jsonrpc\":\"2.0\",\"id\":\"roots-1\",\"method\":\"roots/list\"}";
                ObjectNode result = JSON.createObjectNode();
                result.putArray("content");
                String response = response(message.path("id"), result);
                if (events) {
                    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                    raw(
                            exchange,
                            200,
                            "event: message\r\nid: 1\r\ndata: " + ask + "\r\n\r\ndata: " + roots + "\r\n\r\ndata: "
                                    + response + "\r\n\r\n");
                } else {
                    send(exchange, "[" + ask + "," + roots + "," + response + "]", false);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static String response(JsonNode id, ObjectNode result) throws IOException {
        ObjectNode message = JSON.createObjectNode().put("jsonrpc", "2.0");
        message.set("id", id);
        message.set("result", result);
        return JSON.writeValueAsString(message);
    }

    private static void send(HttpExchange exchange, String json, boolean events) throws IOException {
        exchange.getResponseHeaders()
                .set("Content-Type", events ? "text/event-stream; charset=utf-8" : "application/json");
        raw(exchange, 200, events ? "event: message\ndata: " + json + "\n\n" : json);
    }

    private static void raw(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        closed.countDown();
        http.stop(0);
        threads.shutdownNow();
    }
}
