package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/** An MCP server as a program of its own, well-behaved or not, as its first argument and its tools say. */
final class StdioServerProgram {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final String mode;
    private boolean grown;

    private StdioServerProgram(String mode) {
        this.mode = mode;
    }

    public static void main(String[] arguments) throws Exception {
        new StdioServerProgram(arguments.length == 0 ? "good" : arguments[0]).run();
    }

    private void run() throws Exception {
        switch (mode) {
            case "dies" -> {
                System.err.println("no database here");
                System.exit(4);
            }
            case "silent" -> Thread.sleep(600_000);
            case "endless" -> {
                byte[] much = "x".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
                while (true) {
                    System.out.write(much);
                }
            }
            case "chatty" -> OUT.println("Welcome to the best server there is!\n\u001b[31m{\"jsonrpc\":");
            case "deaf" -> new ProcessBuilder("sleep", "301").inheritIO().start();
            default -> {}
        }
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            take(JSON.readTree(line));
        }
        if (mode.equals("deaf")) {
            Thread.sleep(600_000);
        }
    }

    private void take(JsonNode message) throws Exception {
        String method = message.path("method").asText();
        switch (method) {
            case "initialize" -> {
                ObjectNode result = JSON.createObjectNode()
                        .put("protocolVersion", mode.equals("strange") ? "1999-01-01" : "2025-06-18");
                result.putObject("capabilities").putObject("tools").put("listChanged", true);
                result.putObject("serverInfo").put("name", "test").put("version", "1");
                answer(message, result);
            }
            case "tools/list" ->
                answer(message, tools(message.path("params").path("cursor").asText("")));
            case "tools/call" ->
                call(
                        message,
                        message.path("params").path("name").asText(),
                        message.path("params").path("arguments"));
            case "notifications/cancelled" ->
                note("cancelled " + message.path("params").path("requestId"));
            default -> {}
        }
    }

    private ObjectNode tools(String cursor) {
        ObjectNode result = JSON.createObjectNode();
        ArrayNode tools = result.putArray("tools");
        if (cursor.isEmpty()) {
            ObjectNode echo = tools.addObject().put("name", "echo").put("description", "Says it again.\u0007");
            ObjectNode schema = echo.putObject("inputSchema").put("type", "object");
            schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
            ObjectNode properties = schema.putObject("properties");
            properties.putObject("text").put("type", "string");
            properties.put("anything", true);
            schema.putArray("required").add("text");
            echo.putObject("annotations").put("readOnlyHint", true);
            tools.addObject().put("description", "has no name");
            tools.addObject().put("name", "list").putObject("inputSchema").put("type", "array");
            result.put("nextCursor", "second");
            return result;
        }
        for (String name : List.of(
                "where",
                "crash",
                "hang",
                "huge",
                "big",
                "garbage",
                "unknown_id",
                "ask_back",
                "child",
                "fail",
                "grow",
                "neither",
                "refuse",
                "parts",
                "flood",
                "dotted.name/with a very long tail that no model endpoint would take as a name")) {
            tools.addObject().put("name", name).putObject("inputSchema").put("type", "object");
        }
        if (grown) {
            tools.addObject().put("name", "grown").putObject("inputSchema").put("type", "object");
        }
        return result;
    }

    private void call(JsonNode message, String tool, JsonNode arguments) throws Exception {
        switch (tool) {
            case "echo" ->
                text(
                        message,
                        "you said: " + arguments.path("text").asText()
                                + arguments.path("more").asText(""));
            case "where" -> text(message, where());
            case "crash" -> {
                System.err.println("out of memory");
                System.exit(3);
            }
            // Goes on reading, and never answers.
            case "hang" -> note("hangs");
            case "huge" -> text(message, "x".repeat(10 << 20));
            case "big" -> text(message, "first" + "y".repeat(1 << 20) + "last");
            case "garbage" -> {
                OUT.println("not json");
                OUT.println("{\"jsonrpc\":\"2.0\",\"id\":");
                OUT.println("[[[[1,null,\"x\"]]]]");
                OUT.println("\u0000\u0001\ufffd");
                text(message, "after garbage");
            }
            case "unknown_id" -> {
                for (String id : List.of("999999", "\"one\"", "null", "-1", "1e400", "{}")) {
                    OUT.println("{\"jsonrpc\":\"2.0\",\"id\":" + id
                            + ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"wrong\"}]}}");
                }
                text(message, "the right one");
            }
            case "ask_back" -> {
                OUT.println("{\"jsonrpc\":\"2.0\",\"id\":\"s1\",\"method\":\"ping\"}");
                OUT.println("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"roots/list\"}");
                OUT.println("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"sampling/createMessage\",\"params\":{}}");
                text(message, in.readLine() + "\n" + in.readLine() + "\n" + in.readLine());
            }
            case "child" -> {
                new ProcessBuilder("setsid", "sleep", "302").start();
                text(
                        message,
                        String.valueOf(
                                new ProcessBuilder("sleep", "303").start().pid()));
            }
            case "fail" -> {
                ObjectNode result = content("the thing is not there");
                answer(message, result.put("isError", true));
            }
            case "grow" -> {
                grown = true;
                OUT.println("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
                text(message, "grown");
            }
            case "neither" -> OUT.println("{\"jsonrpc\":\"2.0\",\"id\":" + message.path("id") + "}");
            case "refuse" ->
                OUT.println("{\"jsonrpc\":\"2.0\",\"id\":" + message.path("id")
                        + ",\"error\":{\"code\":-32602,\"message\":\"no such thing\\u001b[31m\"}}");
            case "parts" -> {
                ObjectNode result = JSON.createObjectNode();
                ArrayNode parts = result.putArray("content");
                parts.addObject().put("type", "text").put("text", "\u001b[31mred\u001b[0m");
                parts.addObject()
                        .put("type", "image")
                        .put("mimeType", "image/png")
                        .put("data", "AAAA");
                parts.addObject()
                        .put("type", "resource_link")
                        .put("uri", "file:///x")
                        .put("name", "x");
                parts.addObject()
                        .put("type", "resource")
                        .putObject("resource")
                        .put("uri", "file:///y")
                        .put("text", "why");
                parts.addObject().put("type", "hologram");
                answer(message, result);
            }
            case "flood" -> {
                for (int i = 0; i < 20_000; i++) {
                    OUT.println("{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"method\":\"ping\"}");
                }
                text(message, "flooded");
            }
            default -> text(message, "no such tool: " + tool);
        }
    }

    private static void note(String what) throws IOException {
        Files.writeString(
                Path.of(System.getenv("NOTES")), what + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String where() throws IOException {
        StringBuilder text = new StringBuilder("in " + Path.of("").toAbsolutePath() + "\n");
        for (Map.Entry<String, String> variable : System.getenv().entrySet()) {
            text.append(variable.getKey())
                    .append('=')
                    .append(variable.getValue())
                    .append('\n');
        }
        return text + "pid " + ProcessHandle.current().pid();
    }

    private static void text(JsonNode request, String text) throws IOException {
        answer(request, content(text));
    }

    private static ObjectNode content(String text) {
        ObjectNode result = JSON.createObjectNode();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        return result;
    }

    /** The id comes last, as some servers write it. */
    private static void answer(JsonNode request, ObjectNode result) throws IOException {
        ObjectNode message = JSON.createObjectNode();
        message.set("result", result);
        message.put("jsonrpc", "2.0");
        message.set("id", request.path("id"));
        OUT.println(JSON.writeValueAsString(message));
    }
}
