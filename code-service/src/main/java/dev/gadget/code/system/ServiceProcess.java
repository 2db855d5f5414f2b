package dev.gadget.code.system;

import dev.gadget.model.api.SystemApi.DoorView;
import dev.gadget.model.api.SystemApi.MemoryView;
import dev.gadget.model.api.SystemApi.ProcessView;
import dev.gadget.model.api.SystemApi.TurnCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How one process of the service is, or was when it last noted itself.
 *
 * @param id made anew at each start
 */
public record ServiceProcess(
        String id,
        String version,
        String host,
        Instant startedAt,
        Instant seenAt,
        MemoryView memory,
        TurnCounts turns,
        boolean saved,
        int unsavedTurns,
        List<DoorView> doors) {
    /** Four notes that did not come. */
    static final Duration SILENT_AFTER = Duration.ofMinutes(1);

    public ServiceProcess {
        doors = List.copyOf(doors);
    }

    ProcessView view(boolean answers, Instant now) {
        boolean silent = seenAt.plus(SILENT_AFTER).isBefore(now);
        return new ProcessView(
                id, version, host, startedAt, seenAt, answers, silent, memory, turns, saved, unsavedTurns, doors);
    }
}
