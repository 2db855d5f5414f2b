package dev.gadget.drone.link;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.Limits;
import dev.gadget.model.ProviderType;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.work.ProviderSpec;
import dev.gadget.model.work.WorkEntry;
import dev.gadget.model.work.WorkOrder;
import java.time.Instant;
import java.util.List;

/** What the tests of the link write and read. */
public final class Samples {
    static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .build();

    private Samples() {}

    public static WorkOrder order(WorkspaceId workspace) {
        return new WorkOrder(
                WorkOrderId.random(),
                TurnId.random(),
                SessionId.random(),
                "a session",
                null,
                workspace,
                "count",
                List.of(),
                new ProviderSpec(ProviderType.OPENAI, "scripted", "http://127.0.0.1:1/v1", "secret", null),
                "demo",
                null,
                null,
                ReasoningEffort.LOW,
                Limits.STANDARD,
                ApprovalPolicy.AUTO,
                null,
                null,
                null,
                Instant.parse("2026-01-01T00:00:00Z"));
    }

    static WorkEntry.Response word(long seq) {
        return new WorkEntry.Response(seq, null, "word " + seq);
    }

    /** All text in these entries, in order. */
    static String text(List<WorkEntry> entries) {
        var text = new StringBuilder();
        for (WorkEntry entry : entries) {
            if (entry instanceof WorkEntry.Response said) {
                text.append(said.content());
            } else if (entry instanceof WorkEntry.Thinking thought) {
                text.append(thought.content());
            }
        }
        return text.toString();
    }
}
