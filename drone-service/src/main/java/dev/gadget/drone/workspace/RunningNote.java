package dev.gadget.drone.workspace;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.gadget.model.WorkOrderId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What {@code running.json} says of the drone that runs here, for whoever asks on this machine; of the last one that ran when none does.
 *
 * @param since when the connection began, or when there was none any more
 * @param serviceVersion of the service that it was connected to last
 * @param lost why there is no connection
 * @param workOrderId the order in hand
 * @param lastSeq the last entry of the order in the journal
 * @param storedSeq the last that the service said is stored; absent before it has said so
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunningNote(
        String version,
        long pid,
        Instant startedAt,
        String server,
        boolean connected,
        Instant since,
        @Nullable String serviceVersion,
        @Nullable String lost,
        String sandbox,
        String terminals,
        @Nullable WorkOrderId workOrderId,
        @Nullable Long lastSeq,
        @Nullable Long storedSeq) {}
