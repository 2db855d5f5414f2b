package dev.gadget.model.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.gadget.model.UserId;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bodies about who did what. */
public final class AuditApi {
    private AuditApi() {}

    /** What was done. */
    public enum AuditKind {
        @JsonProperty("signed_in")
        SIGNED_IN,
        @JsonProperty("signed_out")
        SIGNED_OUT,
        @JsonProperty("sign_in_refused")
        SIGN_IN_REFUSED,
        @JsonProperty("user_created")
        USER_CREATED,
        @JsonProperty("user_changed")
        USER_CHANGED,
        @JsonProperty("provider_created")
        PROVIDER_CREATED,
        @JsonProperty("provider_changed")
        PROVIDER_CHANGED,
        @JsonProperty("provider_deleted")
        PROVIDER_DELETED,
        @JsonProperty("exam_started")
        EXAM_STARTED,
        @JsonProperty("token_created")
        TOKEN_CREATED,
        @JsonProperty("token_revoked")
        TOKEN_REVOKED,
        @JsonProperty("enrolment_code_made")
        ENROLMENT_CODE_MADE,
        @JsonProperty("enrolment_refused")
        ENROLMENT_REFUSED,
        @JsonProperty("drone_enrolled")
        DRONE_ENROLLED,
        @JsonProperty("drone_revoked")
        DRONE_REVOKED,
        @JsonProperty("terminal_opened")
        TERMINAL_OPENED,
        @JsonProperty("terminal_closed")
        TERMINAL_CLOSED,
        @JsonProperty("process_stopped")
        PROCESS_STOPPED,
        @JsonProperty("approval_decided")
        APPROVAL_DECIDED,
        @JsonProperty("policy_changed")
        POLICY_CHANGED
    }

    /**
     * The items of GET /admin/audit.
     *
     * @param userId who did it, or was refused as whom; absent when that is nobody known
     * @param subject the id of what it was done to
     * @param detail more in words; never a secret, a prompt or a command
     * @param address where a sign-in came from
     * @param names what the ids of this entry are called now: sessions, drones and providers by name, people by email; absent where none is
     *     known any more
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record AuditView(
            String id,
            Instant at,
            AuditKind kind,
            @Nullable UserId userId,
            @Nullable String subject,
            @Nullable String detail,
            @Nullable String address,
            @Nullable Map<String, String> names) {}
}
