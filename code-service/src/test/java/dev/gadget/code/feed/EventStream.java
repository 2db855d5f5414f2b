package dev.gadget.code.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.model.turn.TurnChange;
import io.restassured.RestAssured;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events as the standard says: an event counts when its empty line has come. */
final class EventStream implements AutoCloseable {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final HttpResponse<InputStream> response;
    private final BufferedReader reader;
    private final ObjectMapper mapper;

    /** The id that a reconnect names. */
    @Nullable
    String lastId;

    final List<String> comments = new ArrayList<>();

    EventStream(ObjectMapper mapper, HttpRequest.Builder request) throws Exception {
        this.mapper = mapper;
        this.response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        this.reader = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8), 64);
    }

    /** A request in the name of this token that accepts events. */
    static HttpRequest.Builder request(String token, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + RestAssured.port + path))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer " + token)
                .header("Accept", "text/event-stream");
    }

    HttpResponse<InputStream> response() {
        return response;
    }

    /** The next event, or null at the end. */
    @Nullable
    TurnChange next() throws IOException {
        String name = null;
        String data = null;
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.isEmpty() && data != null) {
                TurnChange change = mapper.readValue(data, TurnChange.class);
                assertThat(mapper.readTree(data).get("kind").asText()).isEqualTo(name);
                return change;
            } else if (line.startsWith(":")) {
                comments.add(line);
            } else if (line.startsWith("event: ")) {
                name = line.substring(7);
            } else if (line.startsWith("id: ")) {
                lastId = line.substring(4);
            } else if (line.startsWith("data: ")) {
                data = line.substring(6);
            } else {
                assertThat(line).matches("|retry: \\d+");
            }
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
