package dev.gadget.code.audit;

import dev.gadget.model.UserId;
import dev.gadget.model.api.AuditApi.AuditKind;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** That somebody did something: written once, and never changed. */
public record AuditEntry(
        String id,
        Instant at,
        AuditKind kind,
        @Nullable UserId userId,
        @Nullable String subject,
        @Nullable String detail,
        @Nullable String address) {
    private static final int MOST_CHARS = 300;
    private static final Pattern ID = Pattern.compile("\\b\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}\\b");

    public AuditEntry {
        subject = line(subject);
        detail = line(detail);
        address = line(address);
    }

    static AuditEntry now(
            AuditKind kind,
            @Nullable UserId who,
            @Nullable Object subject,
            @Nullable String detail,
            @Nullable String address) {
        return new AuditEntry(
                UUID.randomUUID().toString(),
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                kind,
                who,
                subject == null ? null : subject.toString(),
                detail,
                address);
    }

    /** The ids that it names: of who did it, of what it was done to, and in its words. */
    Set<String> ids() {
        Set<String> ids = new HashSet<>();
        if (userId != null) {
            ids.add(userId.value());
        }
        Stream.of(subject, detail)
                .filter(Objects::nonNull)
                .flatMap(text -> ID.matcher(text).results())
                .forEach(found -> ids.add(found.group()));
        return ids;
    }

    /** One line, so that nothing in it looks like another entry. */
    private static @Nullable String line(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        String line = text.strip().replaceAll("[\\p{Cntrl}\\p{Cf}\\x{2028}\\x{2029}]", "?");
        return line.length() <= MOST_CHARS ? line : line.substring(0, MOST_CHARS) + "…";
    }
}
