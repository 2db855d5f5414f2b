package dev.gadget.code.feed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.gadget.code.turn.TurnUpdate;
import dev.gadget.model.turn.TurnChange;
import jakarta.inject.Singleton;
import java.util.List;

/** Writes the steps of an update as JSON: once, for all readers that get the same update. */
@Singleton
public class ChangeJson {
    private final ObjectWriter writer;

    ChangeJson(ObjectMapper mapper) {
        writer = mapper.writerFor(TurnChange.class);
    }

    /** The steps in order, each a JSON object in one line. */
    public List<String> of(TurnUpdate update) {
        return update.rendered(this::write);
    }

    private String write(TurnChange change) {
        try {
            return writer.writeValueAsString(change);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a step that cannot be written: " + change.getClass(), e);
        }
    }
}
