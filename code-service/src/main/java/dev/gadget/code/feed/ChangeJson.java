package dev.gadget.code.feed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.gadget.code.turn.TurnUpdate;
import dev.gadget.model.turn.BlockMode;
import dev.gadget.model.turn.TurnChange;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Writes the steps of an update as JSON: once, for all readers that get the same update. */
@Singleton
public class ChangeJson {
    private static final Map<BlockMode, String> NAMES = new EnumMap<>(Map.of(
            BlockMode.THINKING, "thinking",
            BlockMode.RESPONDING, "responding",
            BlockMode.TOOL, "tool",
            BlockMode.PROMPT, "prompt"));

    private final ObjectWriter writer;

    ChangeJson(ObjectMapper mapper) {
        writer = mapper.writerFor(TurnChange.class);
    }

    /** The steps in order, each a JSON object in one line. */
    public List<String> of(TurnUpdate update) {
        return update.rendered(this::write);
    }

    private String write(TurnChange change) {
        if (change instanceof TurnChange.TextDelta text && text.createdAt() == null) {
            return more(text);
        }
        try {
            return writer.writeValueAsString(change);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a step that cannot be written: " + change.getClass(), e);
        }
    }

    /** More text for a block, which is what nearly every step is, without the general machinery. */
    private static String more(TurnChange.TextDelta delta) {
        StringBuilder json = new StringBuilder(delta.text().length() + 100)
                .append("{\"kind\":\"text_delta\",\"index\":")
                .append(delta.index())
                .append(",\"mode\":\"")
                .append(NAMES.get(delta.mode()))
                .append("\",\"offset\":")
                .append(delta.offset())
                .append(",\"text\":\"");
        JsonStringEncoder.getInstance().quoteAsString(delta.text(), json);
        return json.append("\"}").toString();
    }
}
