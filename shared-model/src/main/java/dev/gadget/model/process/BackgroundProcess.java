package dev.gadget.model.process;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A command of a session that goes on while its agent does other things, or after its turn.
 *
 * @param id the name that the agent has for it, the only one on its drone
 * @param command what was started; of a very long one the beginning and the end
 * @param endedAt absent while it runs
 * @param exitCode of one that ended by itself
 * @param lastOutput the last line that it printed and that is not empty, or its end
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BackgroundProcess(
        String id,
        String command,
        Instant startedAt,
        @Nullable Instant endedAt,
        ProcessStatus status,
        @Nullable Integer exitCode,
        String lastOutput) {}
