package dev.gadget.code.drone;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.work.WorkEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads reports that hold only text, which is what nearly every message of a drone is, without the general machinery. Whatever does not
 * look exactly like one is left to that, with its checks and its words.
 */
final class TextReports {
    /** Not the one of the service, which remembers all names of an object to find one that comes twice. */
    private final JsonFactory factory = new JsonFactory();

    /** The report; null when the message is another one, or not in order. */
    DroneEvent.@Nullable WorkReported read(String message) {
        if (!message.startsWith("{\"type\":\"work_reported\"")) {
            return null;
        }
        try (JsonParser json = factory.createParser(message)) {
            json.nextToken();
            json.nextFieldName();
            json.nextToken();
            DroneEvent.WorkReported report = report(json);
            return report != null && json.nextToken() == null ? report : null;
        } catch (IOException | IllegalArgumentException notInOrder) {
            return null;
        }
    }

    private static DroneEvent.@Nullable WorkReported report(JsonParser json) throws IOException {
        String order = null;
        int attempt = -1;
        long fence = -1;
        List<WorkEntry> entries = null;
        int fields = 0;
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            fields++;
            switch (name) {
                case "workOrderId" -> order = json.nextTextValue();
                case "attempt" -> attempt = json.nextIntValue(-1);
                case "fence" -> fence = json.nextLongValue(-1);
                case "entries" -> entries = entries(json);
                default -> {
                    return null;
                }
            }
        }
        if (json.currentToken() != JsonToken.END_OBJECT
                || fields != 4 // none of them twice
                || order == null
                || entries == null
                || attempt < 0
                || fence < 0) {
            return null;
        }
        return new DroneEvent.WorkReported(new WorkOrderId(order), attempt, fence, entries);
    }

    private static @Nullable List<WorkEntry> entries(JsonParser json) throws IOException {
        if (json.nextToken() != JsonToken.START_ARRAY) {
            return null;
        }
        List<WorkEntry> entries = new ArrayList<>();
        while (json.nextToken() == JsonToken.START_OBJECT) {
            WorkEntry entry = entry(json);
            if (entry == null) {
                return null;
            }
            entries.add(entry);
        }
        return json.currentToken() == JsonToken.END_ARRAY ? entries : null;
    }

    private static @Nullable WorkEntry entry(JsonParser json) throws IOException {
        String type = null;
        String content = null;
        long seq = -1;
        Integer count = null;
        int fields = 0;
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            fields++;
            switch (name) {
                case "type" -> type = json.nextTextValue();
                case "seq" -> seq = json.nextLongValue(-1);
                case "content" -> content = json.nextTextValue();
                case "count" -> {
                    count = json.nextIntValue(-1);
                    if (count < 0) {
                        return null;
                    }
                }
                default -> {
                    return null;
                }
            }
        }
        if (json.currentToken() != JsonToken.END_OBJECT
                || fields != (count == null ? 3 : 4)
                || seq < 0
                || content == null
                || type == null) {
            return null;
        }
        return switch (type) {
            case "thinking" -> new WorkEntry.Thinking(seq, count, content);
            case "response" -> new WorkEntry.Response(seq, count, content);
            default -> null;
        };
    }
}
