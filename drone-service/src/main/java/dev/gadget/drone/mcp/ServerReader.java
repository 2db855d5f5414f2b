package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one server of {@code mcp.json}; {@code IllegalArgumentException} says what is wrong with it. */
final class ServerReader {
    /** It becomes a part of names that model endpoints accept. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,31}");

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Set<String> HTTP_TYPES = Set.of("http", "streamable-http", "streamableHttp");
    private static final Set<String> COMMON =
            Set.of("type", "readOnlyTools", "timeoutSeconds", "startTimeoutSeconds", "disabled");
    private static final Set<String> STDIO = Set.of("command", "args", "env", "cwd", "mayChange");
    private static final Set<String> HTTP = Set.of("url", "headers");
    private static final int START_SECONDS = 60;
    private static final int CALL_SECONDS = 120;
    private static final int MAX_SECONDS = 3600;

    private final String name;
    private final JsonNode node;

    ServerReader(String name, JsonNode node) {
        this.name = name;
        this.node = node;
    }

    ServerConfig read() {
        if (!NAME.matcher(name).matches() || name.contains("__")) {
            throw wrong("a server's name has 1 to 32 letters, digits, - or _, and no two _ beside each other");
        }
        if (!node.isObject()) {
            throw wrong("it has to be an object with `command` or `url`");
        }
        if (node.has("command") == node.has("url")) {
            throw wrong("it has to have either `command` or `url`");
        }
        return node.has("command") ? stdio() : http();
    }

    private ServerConfig stdio() {
        String type = node.path("type").asText("stdio");
        if (!type.equals("stdio")) {
            throw wrong("`type` is " + Shown.text(type, 40) + ", but a server with a `command` is of type stdio");
        }
        String cwd = node.has("cwd") ? text("cwd") : null;
        Map<String, String> env = texts("env");
        env.keySet().stream()
                .filter(variable -> !VARIABLE.matcher(variable).matches())
                .findFirst()
                .ifPresent(variable -> {
                    throw wrong("`env` has " + Shown.text(variable, 40) + ", which is no name of a variable");
                });
        return new ServerConfig.Stdio(
                common(STDIO), text("command"), list("args"), env, cwd, new LinkedHashSet<>(list("mayChange")));
    }

    private ServerConfig http() {
        String type = node.path("type").asText("http");
        if (!HTTP_TYPES.contains(type)) {
            throw wrong("`type` is " + Shown.text(type, 40)
                    + ", but a server with a `url` is spoken to by streamable HTTP: leave it out, or say http");
        }
        URI url = url(text("url"));
        Map<String, String> headers = texts("headers");
        headers.forEach((header, value) -> {
            try {
                HttpRequest.newBuilder(url).header(header, "x");
            } catch (IllegalArgumentException e) {
                throw wrong("`headers` has " + Shown.text(header, 40) + ", which cannot be set");
            }
        });
        return new ServerConfig.Http(common(HTTP), url, headers);
    }

    private URI url(String text) {
        try {
            URI url = new URI(text);
            if (url.getHost() != null
                    && url.getUserInfo() == null
                    && url.getFragment() == null
                    && ("https".equals(url.getScheme()) || "http".equals(url.getScheme()))) {
                return url;
            }
        } catch (URISyntaxException e) {
            throw wrong("`url` is not an address: it looks like https://mcp.example.org/mcp");
        }
        throw wrong("`url` has to begin with https:// or http://, with no user or fragment in it;"
                + " what the server is to know goes into `headers`");
    }

    private ServerConfig.Common common(Set<String> others) {
        List<String> ignored = new ArrayList<>();
        node.fieldNames().forEachRemaining(key -> {
            if (!COMMON.contains(key) && !others.contains(key)) {
                ignored.add(Shown.text(key, 40));
            }
        });
        return new ServerConfig.Common(
                name,
                node,
                new LinkedHashSet<>(list("readOnlyTools")),
                seconds("startTimeoutSeconds", START_SECONDS),
                seconds("timeoutSeconds", CALL_SECONDS),
                flag("disabled"),
                List.copyOf(ignored));
    }

    private Duration seconds(String key, int otherwise) {
        JsonNode value = node.path(key);
        if (value.isMissingNode()) {
            return Duration.ofSeconds(otherwise);
        }
        if (!value.isInt() || value.intValue() < 1 || value.intValue() > MAX_SECONDS) {
            throw wrong("`" + key + "` has to be a number of seconds from 1 to " + MAX_SECONDS);
        }
        return Duration.ofSeconds(value.intValue());
    }

    private boolean flag(String key) {
        JsonNode value = node.path(key);
        if (!value.isMissingNode() && !value.isBoolean()) {
            throw wrong("`" + key + "` has to be true or false");
        }
        return value.asBoolean(false);
    }

    private String text(String key) {
        return checked(key, node.path(key));
    }

    private List<String> list(String key) {
        JsonNode value = node.path(key);
        if (!value.isMissingNode() && !value.isArray()) {
            throw wrong("`" + key + "` has to be a list of texts");
        }
        List<String> list = new ArrayList<>();
        value.forEach(item -> list.add(argument(key, item)));
        return List.copyOf(list);
    }

    private Map<String, String> texts(String key) {
        JsonNode value = node.path(key);
        if (!value.isMissingNode() && !value.isObject()) {
            throw wrong("`" + key + "` has to be an object of texts");
        }
        Map<String, String> texts = new LinkedHashMap<>();
        value.properties().forEach(entry -> texts.put(entry.getKey(), argument(key, entry.getValue())));
        return texts;
    }

    private String checked(String key, @Nullable JsonNode value) {
        String text = argument(key, value);
        if (text.isBlank()) {
            throw wrong("`" + key + "` is empty");
        }
        return text;
    }

    private String argument(String key, @Nullable JsonNode value) {
        if (value == null || !value.isTextual() || value.textValue().indexOf('\0') >= 0) {
            throw wrong(
                    "`" + key + "` has to be text" + (key.equals("command") || key.equals("url") ? "" : " throughout"));
        }
        return value.textValue();
    }

    private static IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(what);
    }
}
