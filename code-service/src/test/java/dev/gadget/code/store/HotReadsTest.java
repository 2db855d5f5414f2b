package dev.gadget.code.store;

import static dev.gadget.code.store.StoreFixtures.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.code.account.Account;
import dev.gadget.code.account.Caller;
import dev.gadget.code.account.StoredToken;
import dev.gadget.code.audit.AuditEntry;
import dev.gadget.code.audit.AuditFilter;
import dev.gadget.code.drone.Drone;
import dev.gadget.code.drone.Enrolment;
import dev.gadget.code.project.Project;
import dev.gadget.code.session.ChatSession;
import dev.gadget.code.store.embedded.EmbeddedStore;
import dev.gadget.code.turn.TurnRecord;
import dev.gadget.model.DroneId;
import dev.gadget.model.ProviderId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AccountApi.Role;
import dev.gadget.model.api.AuditApi.AuditKind;
import io.quarkus.scheduler.Scheduler;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is asked often is asked by _id or a unique index, so that it costs the same in a full store. */
@QuarkusTest
class HotReadsTest {
    @Inject
    EmbeddedStore embedded;

    @Inject
    ProjectArchive projects;

    @Inject
    DroneArchive drones;

    @Inject
    ModelProfileArchive profiles;

    @Inject
    SessionArchive sessions;

    @Inject
    TurnArchive turns;

    @Inject
    AccountArchive accounts;

    @Inject
    TokenArchive tokens;

    @Inject
    EnrolmentArchive enrolments;

    @Inject
    AuditArchive audit;

    @Inject
    Scheduler scheduler;

    private final UserId me = UserId.random();

    /** What the service does by itself from time to time would be seen here. */
    @BeforeEach
    void nothingByItself() {
        scheduler.pause();
    }

    @AfterEach
    void asBefore() {
        scheduler.resume();
    }

    /** Of collections of our own: what the store keeps of its indexes may be looked at by whatever begins just then. */
    private Map<String, Long> scans() {
        Map<String, Long> all = new HashMap<>(embedded.fullScans());
        all.remove("system.indexes");
        return all;
    }

    @Test
    @DisplayName("The reads and writes of a turn scan no collection")
    void readsTurnsByTheirIndexes() {
        ChatSession session = StoreFixtures.session(me);
        sessions.insert(session);
        TurnRecord turn = StoreFixtures.turn(session.id(), T0);
        Map<String, Long> before = scans();

        assertThat(sessions.claim(session.id(), turn.id())).isTrue();
        turns.insert(turn);
        turns.putBlocks(turn.id(), List.of(StoreFixtures.text(0, "a"), StoreFixtures.text(1, "b")));
        turns.replace(turn);
        assertThat(turns.find(turn.id())).isPresent();
        assertThat(turns.blocks(turn.id())).hasSize(2);
        assertThat(turns.ownBlocks(turn.id())).hasSize(2);
        assertThat(turns.outlines(turn.id())).hasSize(2);
        assertThat(turns.ofSession(session.id())).hasSize(1);
        assertThat(turns.latest(session.id(), turn, 5)).isEmpty();
        assertThat(turns.interrupted(DroneId.random(), 5)).isEmpty();
        sessions.release(session.id(), turn.id());
        assertThat(sessions.find(me, session.id())).isPresent();
        assertThat(sessions.list(me, Optional.empty(), 10).items()).hasSize(1);
        turns.deleteOfSession(session.id());
        ChatSession another = StoreFixtures.session(me);
        sessions.beginInsert(another);
        assertThat(sessions.beingInserted()).hasSize(1);
        assertThat(sessions.endInsert(me, another.id())).isTrue();
        assertThat(sessions.branch(me, Objects.requireNonNull(another.branchKey())))
                .isPresent();

        assertThat(scans()).isEqualTo(before);
    }

    @Test
    @DisplayName("The reads and writes of projects, drones and profiles of models scan no collection")
    void readsThingsByTheirIndexes() {
        Project project = StoreFixtures.project(me, "slug", T0);
        Drone drone = StoreFixtures.drone(me);
        projects.insert(project);
        drones.insert(drone);
        var examined = StoreFixtures.examined(me, ProviderId.random(), "m");
        profiles.put(examined);
        Map<String, Long> before = scans();

        projects.replace(project);
        drones.replace(drone);
        assertThat(projects.find(me, project.id())).isPresent();
        assertThat(drones.find(me, drone.id())).isPresent();
        var first = projects.list(me, Optional.empty(), 1);
        assertThat(first.items()).hasSize(1);
        assertThat(drones.list(me, Optional.empty(), 5).items()).hasSize(1);
        assertThat(projects.delete(me, project.id())).isTrue();
        profiles.put(examined);
        assertThat(profiles.find(me, examined.providerId(), "m")).isPresent();
        assertThat(profiles.ofProvider(me, examined.providerId())).hasSize(1);
        profiles.deleteOfProvider(me, examined.providerId());

        assertThat(scans()).isEqualTo(before);
    }

    @Test
    @DisplayName("Audit entries are found by person, by kind and by their age without a scan")
    void readsAuditEntriesByTheirIndexes() {
        audit.append(new AuditEntry(UUID.randomUUID().toString(), T0, AuditKind.SIGNED_IN, me, null, null, null));
        Map<String, Long> before = scans();

        for (var kind : List.of(Optional.<AuditKind>empty(), Optional.of(AuditKind.SIGNED_IN))) {
            assertThat(audit.list(new AuditFilter(kind, Optional.of(me)), Optional.empty(), 5)
                            .items())
                    .hasSize(1);
            assertThat(audit.list(new AuditFilter(kind, Optional.empty()), Optional.of("9"), 5)
                            .items())
                    .isNotEmpty();
        }
        audit.deleteBefore(Instant.EPOCH);

        assertThat(scans()).isEqualTo(before);
    }

    @Test
    @DisplayName("Who a request is from is found without a scan")
    void readsAccountsByTheirIndexes() {
        var account = new Account(UserId.random(), UUID.randomUUID() + "@x", "n", Role.MEMBER, "h", false, T0, 0);
        accounts.insert(account);
        var token = new StoredToken(
                UUID.randomUUID().toString(),
                UUID.randomUUID() + "h",
                me,
                Caller.Kind.TOKEN,
                null,
                "n",
                T0,
                null,
                null);
        tokens.insert(token);
        var code = new Enrolment(UUID.randomUUID().toString(), me, T0, T0.plusSeconds(5));
        enrolments.insert(code);
        Map<String, Long> before = scans();

        assertThat(tokens.byHash(token.hash())).isPresent();
        tokens.touch(token.id(), T0);
        assertThat(tokens.ofUser(me, Caller.Kind.TOKEN)).hasSize(1);
        assertThat(tokens.delete(me, token.id())).isTrue();
        assertThat(accounts.find(account.id())).isPresent();
        assertThat(accounts.byEmail(account.email())).isPresent();
        accounts.replace(account);
        assertThat(enrolments.use(code.codeHash(), T0)).isPresent();

        assertThat(scans()).isEqualTo(before);
    }
}
