package dev.gadget.code.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.turn.TurnUpdate;
import dev.gadget.model.turn.BlockMode;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.turn.TurnStatus;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Steps as JSON")
class ChangeJsonTest {
    private static final String TEXT =
            "\"Hm\" \\ / ä 🛒 \u0000\u001f\u007f\u2028 \n\r\t\b\f </script> \ud83d".repeat(3);

    @ParameterizedTest
    @EnumSource(BlockMode.class)
    @DisplayName("text is written in the short way as it is in the long one")
    void same(BlockMode mode) throws JsonProcessingException {
        var mapper = new ObjectMapper();
        var delta = new TurnChange.TextDelta(7, mode, 12_345, TEXT, null);
        var update = new TurnUpdate(new Cursor("e", 1, 7, 0), TurnStatus.PROCESSING, false, List.of(delta));

        assertThat(new ChangeJson(mapper).of(update))
                .containsExactly(mapper.writerFor(TurnChange.class).writeValueAsString(delta));
    }
}
