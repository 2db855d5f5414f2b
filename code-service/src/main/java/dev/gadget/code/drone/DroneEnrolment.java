package dev.gadget.code.drone;

import dev.gadget.code.RefusedException;
import dev.gadget.code.account.Accounts;
import dev.gadget.code.account.AttemptLimiter;
import dev.gadget.code.account.Caller;
import dev.gadget.code.account.Secrets;
import dev.gadget.code.account.Tokens;
import dev.gadget.code.audit.AuditLog;
import dev.gadget.code.http.Checks;
import dev.gadget.code.store.DroneArchive;
import dev.gadget.code.store.EnrolmentArchive;
import dev.gadget.model.DroneId;
import dev.gadget.model.FailureCode;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AuditApi.AuditKind;
import dev.gadget.model.api.DroneApi.EnrolDrone;
import dev.gadget.model.api.DroneApi.EnrolledDrone;
import dev.gadget.model.api.DroneApi.EnrolmentView;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How a drone comes to a credential of its own, and how it loses it. */
@ApplicationScoped
public class DroneEnrolment {
    private static final Duration CODE_LIFETIME = Duration.ofMinutes(15);
    /** 79 random bits. */
    private static final int CODE_GROUPS = 4;

    private static final int CODE_LENGTH = CODE_GROUPS * 5 - 1;
    private static final int MAX_NAME = 100;
    static final int MAX_HOSTNAME = MAX_NAME * 3;
    static final int MAX_PATH = 4096;

    private final EnrolmentArchive enrolments;
    private final DroneArchive drones;
    private final LeaseKeeper leases;
    private final Tokens tokens;
    private final Accounts accounts;
    private final AttemptLimiter limiter;
    private final AuditLog audit;

    DroneEnrolment(
            EnrolmentArchive enrolments,
            DroneArchive drones,
            LeaseKeeper leases,
            Tokens tokens,
            Accounts accounts,
            AttemptLimiter limiter,
            AuditLog audit) {
        this.enrolments = enrolments;
        this.drones = drones;
        this.leases = leases;
        this.tokens = tokens;
        this.accounts = accounts;
        this.limiter = limiter;
        this.audit = audit;
    }

    /** A code that enrols one drone of this person, within 15 minutes. */
    EnrolmentView newCode(UserId owner) {
        return newCode(owner, CODE_LIFETIME);
    }

    /** The same with another lifetime. */
    public EnrolmentView newCode(UserId owner, Duration lifetime) {
        String code = Secrets.readable(CODE_GROUPS);
        Instant now = now();
        Enrolment enrolment = new Enrolment(Secrets.hash(code), owner, now, now.plus(lifetime));
        enrolments.insert(enrolment);
        return new EnrolmentView(code, enrolment.expiresAt());
    }

    /** Makes the drone, or gives the one of the same workspace a new credential and takes its old one back. */
    EnrolledDrone enrol(EnrolDrone wanted, String address) {
        String name = Checks.line("name", wanted.name(), MAX_NAME);
        String hostname = Checks.line("hostname", wanted.hostname(), MAX_HOSTNAME);
        String directory = Checks.line("workspaceDir", wanted.workspaceDir(), MAX_PATH);
        UserId owner = owner(wanted, address);
        Optional<Drone> old = drones.ofWorkspace(owner, wanted.workspaceId());
        DroneId id = old.map(Drone::id).orElseGet(DroneId::random);
        Tokens.Issued credential = tokens.issue(owner, Caller.Kind.DRONE, id, name, null);
        Drone drone = new Drone(
                id,
                owner,
                name,
                credential.stored().id(),
                wanted.workspaceId(),
                directory,
                hostname,
                old.map(Drone::platform).orElse(null),
                old.map(Drone::droneVersion).orElse(null),
                old.map(Drone::lastSeenAt).orElse(null),
                old.map(Drone::owed).orElse(List.of()),
                old.map(Drone::stopping).orElse(List.of()),
                old.map(Drone::createdAt).orElseGet(DroneEnrolment::now),
                old.map(Drone::version).orElse(0L));
        if (old.isPresent()) {
            drones.replace(drone);
            tokens.revoke(owner, old.get().credentialId());
        } else {
            drones.insert(drone);
        }
        audit.cameIn(owner, AuditKind.DRONE_ENROLLED, id, address);
        return new EnrolledDrone(id, credential.token());
    }

    private UserId owner(EnrolDrone wanted, String address) {
        String code = wanted.code();
        String email = wanted.email();
        String password = wanted.password();
        if (code != null) {
            return ofCode(code, address);
        }
        if (email != null && password != null) {
            return accounts.verify(email, password, address).id();
        }
        throw new RefusedException(
                FailureCode.INVALID_FIELD, "A drone enrols with a code, or with an email and a password.", "code");
    }

    private UserId ofCode(String code, String address) {
        limiter.attempt(address);
        String plain = plain(code);
        UserId owner = (plain.length() == CODE_LENGTH
                        ? enrolments.use(Secrets.hash(plain), now())
                        : Optional.<Enrolment>empty())
                .map(Enrolment::ownerId)
                .orElseThrow(() -> {
                    audit.refused(AuditKind.ENROLMENT_REFUSED, null, address);
                    return new RefusedException(
                            FailureCode.CODE_USED_OR_EXPIRED,
                            "This code is wrong, used or expired. Get a new one from the page (Drones, Connect a drone).",
                            "code");
                });
        limiter.succeeded(address);
        return owner;
    }

    /** As it was given out, however it was typed. */
    private static String plain(String code) {
        String letters = code.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "");
        return letters.length() > CODE_LENGTH ? letters : letters.replaceAll("(.{4})(?=.)", "$1-");
    }

    /** Takes the drone's credential back, which closes its connection, ends what it was given, and forgets it. */
    void revoke(UserId owner, DroneId id) {
        Drone drone = drones.find(owner, id)
                .orElseThrow(() -> new RefusedException(FailureCode.NOT_FOUND, "There is no drone " + id + "."));
        tokens.revoke(owner, drone.credentialId());
        // Before it is forgotten: when the store is away now, the drone is still listed, and can be taken back once
        // more.
        leases.revoked(id);
        drones.delete(owner, id);
        audit.note(owner, AuditKind.DRONE_REVOKED, id, drone.name());
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }
}
