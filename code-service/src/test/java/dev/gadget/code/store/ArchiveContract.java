package dev.gadget.code.store;

import static dev.gadget.code.store.StoreFixtures.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gadget.code.audit.AuditEntry;
import dev.gadget.code.audit.AuditFilter;
import dev.gadget.code.project.Project;
import dev.gadget.code.provider.ExaminedModel;
import dev.gadget.code.session.ChatSession;
import dev.gadget.code.system.ServiceProcess;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ProjectId;
import dev.gadget.model.ProviderId;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AuditApi.AuditKind;
import io.quarkus.scheduler.Scheduler;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store has to do alike, for things that belong to a person. */
abstract class ArchiveContract {
    @Inject
    ProjectArchive projects;

    @Inject
    ProviderArchive providers;

    @Inject
    ModelProfileArchive profiles;

    @Inject
    DroneArchive drones;

    @Inject
    SessionArchive sessions;

    @Inject
    AuditArchive audit;

    @Inject
    ProcessArchive processes;

    @Inject
    Scheduler scheduler;

    final UserId me = UserId.random();
    final UserId somebodyElse = UserId.random();

    /** What the service does by itself from time to time would be seen here. */
    @BeforeEach
    void nothingByItself() {
        scheduler.pause();
    }

    @AfterEach
    void asBefore() {
        scheduler.resume();
    }

    @Test
    void givesBackAProjectAsItWasStored() {
        Project project = StoreFixtures.project(me, "one", T0);

        projects.insert(project);

        assertThat(projects.find(me, project.id())).contains(project);
    }

    @Test
    void givesBackAProviderAsItWasStored() {
        var provider = StoreFixtures.provider(me, "mine");

        providers.insert(provider);

        assertThat(providers.find(me, provider.id())).contains(provider);
    }

    private static AuditEntry audited(AuditKind kind, UserId who, Instant at) {
        return new AuditEntry(UUID.randomUUID().toString(), at, kind, who, "subject", "detail", "127.0.0.1");
    }

    @Test
    void listsAuditEntriesNewestFirstByPersonAndKind() {
        AuditEntry old = audited(AuditKind.SIGNED_IN, me, T0);
        AuditEntry between = audited(AuditKind.TOKEN_CREATED, me, T0.plusMillis(1));
        AuditEntry late = audited(AuditKind.SIGNED_IN, me, T0.plusMillis(2));
        var nobody =
                new AuditEntry(UUID.randomUUID().toString(), T0, AuditKind.SIGN_IN_REFUSED, null, null, null, null);
        for (AuditEntry entry : List.of(between, late, nobody, old)) {
            audit.append(entry);
        }
        audit.append(audited(AuditKind.SIGNED_IN, somebodyElse, T0));

        var mine = new AuditFilter(Optional.empty(), Optional.of(me));
        assertThat(audit.list(mine, Optional.empty(), 10).items()).containsExactly(late, between, old);
        var first = audit.list(mine, Optional.empty(), 2);
        assertThat(first.items()).containsExactly(late, between);
        assertThat(audit.list(mine, first.next(), 2).items()).containsExactly(old);
        var signedIn = new AuditFilter(Optional.of(AuditKind.SIGNED_IN), Optional.of(me));
        assertThat(audit.list(signedIn, Optional.empty(), 10).items()).containsExactly(late, old);
        assertThat(allAudited()).contains(nobody);
    }

    /** Other tests write some hundred more into the same store. */
    private List<AuditEntry> allAudited() {
        List<AuditEntry> all = new ArrayList<>();
        Optional<String> after = Optional.empty();
        do {
            Slice<AuditEntry> page = audit.list(AuditFilter.ALL, after, 100);
            all.addAll(page.items());
            after = page.next();
        } while (after.isPresent());
        return all;
    }

    @Test
    void forgetsAuditEntriesThatAreOld() {
        Instant before = Instant.parse("2001-01-01T00:00:00Z");
        AuditEntry old = audited(AuditKind.SIGNED_IN, me, before.minusMillis(1));
        AuditEntry kept = audited(AuditKind.SIGNED_IN, me, before);
        audit.append(old);
        audit.append(kept);

        assertThat(audit.deleteBefore(before)).isEqualTo(1);

        var mine = new AuditFilter(Optional.empty(), Optional.of(me));
        assertThat(audit.list(mine, Optional.empty(), 10).items()).containsExactly(kept);
        audit.deleteBefore(before.plusMillis(1));
    }

    @Test
    void keepsTheLatestNoteOfEachProcessUntilItIsRemovedOrOld() {
        Instant far = T0.plusSeconds(1_000_000_000);
        ServiceProcess first = StoreFixtures.process(T0, far);
        ServiceProcess other = StoreFixtures.process(T0, T0);
        processes.put(StoreFixtures.process(T0, T0.minusMillis(1)));
        processes.put(other);
        processes.put(first);
        ServiceProcess later = seen(first, far.plusMillis(1));
        processes.put(later);

        assertThat(processes.list()).startsWith(later).contains(other).doesNotContain(first);
        assertThat(processes.removeSeenBefore(T0)).isPositive();
        assertThat(processes.list())
                .contains(later, other)
                .noneMatch(one -> one.seenAt().isBefore(T0));
        processes.remove(later.id());
        processes.remove(other.id());
        assertThat(processes.list()).doesNotContain(later, other);
    }

    private static ServiceProcess seen(ServiceProcess process, Instant at) {
        return new ServiceProcess(
                process.id(),
                "0.10",
                process.host(),
                process.startedAt(),
                at,
                process.memory(),
                process.turns(),
                true,
                0,
                List.of());
    }

    @Test
    void givesBackADroneAsItWasStored() {
        var drone = StoreFixtures.drone(me);

        drones.insert(drone);

        assertThat(drones.find(me, drone.id())).contains(drone);
    }

    @Test
    void givesBackASessionAsItWasStored() {
        var session = StoreFixtures.session(me);

        sessions.insert(session);

        assertThat(sessions.find(me, session.id())).contains(session);
    }

    @Test
    void countsTheSessionsOfAProject() {
        var session = StoreFixtures.session(me);
        sessions.insert(session);
        sessions.insert(StoreFixtures.session(me));

        assertThat(sessions.countOfProject(me, session.projectId())).isOne();

        assertThat(sessions.countOfProject(somebodyElse, session.projectId())).isZero();
        sessions.beginDelete(me, session.id());
        assertThat(sessions.countOfProject(me, session.projectId())).isZero();
        sessions.endDelete(session.id());
    }

    @Test
    void deletesASessionInTwoSteps() {
        var session = StoreFixtures.session(me);
        sessions.insert(session);
        assertThat(sessions.beginDelete(somebodyElse, session.id())).isFalse();
        assertThat(sessions.beingDeleted()).isEmpty();

        assertThat(sessions.beginDelete(me, session.id())).isTrue();

        assertThat(sessions.beginDelete(me, session.id())).isFalse();
        assertThat(sessions.find(me, session.id())).isEmpty();
        assertThat(sessions.claim(session.id(), TurnId.random())).isFalse();
        assertThat(sessions.locked()).doesNotContain(session);
        assertThat(sessions.beingDeleted()).singleElement().satisfies(gone -> {
            assertThat(gone.id()).isEqualTo(session.id());
            assertThat(gone.ownerId()).isEqualTo(me);
            assertThat(gone.runningTurnId()).isNull();
        });
        sessions.endDelete(session.id());
        assertThat(sessions.beingDeleted()).isEmpty();
    }

    @Test
    void givesUpASessionThatIsBeingInserted() {
        var session = StoreFixtures.session(me);
        sessions.beginInsert(session);

        assertThat(sessions.abandonInsert(session.id())).isTrue();

        assertThat(sessions.beingInserted()).isEmpty();
        assertThat(sessions.beingDeleted()).extracting(ChatSession::id).containsExactly(session.id());
        assertThat(sessions.endInsert(me, session.id())).isFalse();
        assertThat(sessions.abandonInsert(session.id())).isFalse();
        sessions.endDelete(session.id());
        assertThat(sessions.beingDeleted()).isEmpty();
    }

    @Test
    void keepsOneSessionToABranchKeyUntilItIsDeletedOrGivenUp() {
        var branch = StoreFixtures.session(me);
        String key = Objects.requireNonNull(branch.branchKey());
        var another = StoreFixtures.session(me).branch(SessionId.random(), key, branch.createdAt());

        sessions.beginInsert(branch);

        assertThat(sessions.branch(me, key)).isEmpty();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> sessions.beginInsert(another))
                .returns(FailureCode.CONFLICT, StoreException::code);
        sessions.endInsert(me, branch.id());
        assertThat(sessions.branch(me, key)).map(ChatSession::id).contains(branch.id());
        assertThat(sessions.branch(somebodyElse, key)).isEmpty();
        sessions.beginDelete(me, branch.id());
        assertThat(sessions.branch(me, key)).isEmpty();
        sessions.beginInsert(another);
        sessions.abandonInsert(another.id());
        sessions.insert(StoreFixtures.session(me).branch(SessionId.random(), key, branch.createdAt()));
        assertThat(sessions.branch(me, key)).isPresent();
        sessions.endDelete(branch.id());
        sessions.endDelete(another.id());
    }

    @Test
    void insertsASessionInTwoSteps() {
        var session = StoreFixtures.session(me);

        sessions.beginInsert(session);

        assertThat(sessions.find(me, session.id())).isEmpty();
        assertThat(sessions.list(me, Optional.empty(), 10).items()).isEmpty();
        assertThat(sessions.beginDelete(me, session.id())).isFalse();
        assertThat(sessions.beingDeleted()).isEmpty();
        assertThat(sessions.beingInserted()).containsExactly(session);
        assertThat(sessions.endInsert(somebodyElse, session.id())).isFalse();
        assertThat(sessions.endInsert(me, session.id())).isTrue();
        assertThat(sessions.endInsert(me, session.id())).isFalse();
        assertThat(sessions.beingInserted()).isEmpty();
        assertThat(sessions.abandonInsert(session.id())).isFalse();
        sessions.endDelete(session.id());
        ChatSession found = sessions.find(me, session.id()).orElseThrow();
        assertThat(found).usingRecursiveComparison().ignoringFields("version").isEqualTo(session);
        sessions.replace(found);
        assertThat(sessions.claim(session.id(), TurnId.random())).isTrue();
    }

    @Test
    void knowsTheSessionsThatATurnHolds() {
        var session = StoreFixtures.session(me);
        sessions.insert(session);
        TurnId old = session.runningTurnId();
        if (old != null) {
            sessions.release(session.id(), old);
        }
        assertThat(sessions.locked()).extracting(ChatSession::id).doesNotContain(session.id());
        TurnId holder = TurnId.random();

        assertThat(sessions.claim(session.id(), holder)).isTrue();

        assertThat(sessions.locked())
                .filteredOn(one -> one.id().equals(session.id()))
                .singleElement()
                .satisfies(one -> assertThat(one.runningTurnId()).isEqualTo(holder));
    }

    @Test
    void givesBackTheProfileOfAModelAsItWasStored() {
        ProviderId provider = ProviderId.random();
        var known = StoreFixtures.examined(me, provider, "org/model:8b.Q4$");
        var nothing = new ExaminedModel(
                me,
                provider,
                "another",
                new ModelProfile(null, null, null, null, null, null, null, null, null, StoreFixtures.T0));

        profiles.put(known);
        profiles.put(nothing);

        assertThat(profiles.find(me, provider, known.model())).contains(known);
        assertThat(profiles.ofProvider(me, provider)).containsExactly(nothing, known);
    }

    @Test
    void keepsTheLastProfileOfAModelAndHidesItFromOthers() {
        ProviderId provider = ProviderId.random();
        var first = StoreFixtures.examined(me, provider, "m");
        var second = new ExaminedModel(
                me,
                provider,
                "m",
                new ModelProfile(false, null, null, null, null, null, null, null, null, StoreFixtures.T0));
        profiles.put(first);

        profiles.put(second);

        assertThat(profiles.ofProvider(me, provider)).containsExactly(second);
        assertThat(profiles.find(somebodyElse, provider, "m")).isEmpty();
        profiles.deleteOfProvider(somebodyElse, provider);
        assertThat(profiles.find(me, provider, "m")).contains(second);
        profiles.deleteOfProvider(me, provider);
        assertThat(profiles.ofProvider(me, provider)).isEmpty();
    }

    @Test
    void hidesWhatBelongsToSomebodyElse() {
        Project project = StoreFixtures.project(me, "hidden", T0);

        projects.insert(project);

        assertThat(projects.find(somebodyElse, project.id())).isEmpty();
        assertThat(projects.list(somebodyElse, Optional.empty(), 10).items()).isEmpty();
        assertThat(projects.delete(somebodyElse, project.id())).isFalse();
        assertThat(projects.find(me, project.id())).isPresent();
    }

    @Test
    void refusesASecondUseOfAUniqueKey() {
        projects.insert(StoreFixtures.project(me, "same", T0));
        projects.insert(StoreFixtures.project(somebodyElse, "same", T0));
        providers.insert(StoreFixtures.provider(me, "same"));

        assertFails(FailureCode.CONFLICT, () -> projects.insert(StoreFixtures.project(me, "same", T0)));
        assertFails(FailureCode.CONFLICT, () -> providers.insert(StoreFixtures.provider(me, "same")));
    }

    @Test
    void refusesToRenameIntoAUniqueKeyThatIsTaken() {
        Project first = StoreFixtures.project(me, "first", T0);
        Project second = StoreFixtures.project(me, "second", T0);
        projects.insert(first);
        projects.insert(second);

        assertFails(FailureCode.CONFLICT, () -> projects.replace(withSlug(second, "first", 0)));

        assertThat(projects.find(me, second.id())).contains(second);
        assertThat(projects.find(me, first.id())).contains(first);
    }

    @Test
    void listsNewestFirstAPageAtATime() {
        List<ProjectId> newestFirst = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            Project project = StoreFixtures.project(me, "p" + i, T0.plusSeconds(i / 2));
            projects.insert(project);
        }

        Optional<String> after = Optional.empty();
        List<Integer> sizes = new ArrayList<>();
        List<Project> seen = new ArrayList<>();
        do {
            Slice<Project> slice = projects.list(me, after, 3);
            seen.addAll(slice.items());
            slice.items().forEach(project -> newestFirst.add(project.id()));
            sizes.add(slice.items().size());
            after = slice.next();
        } while (after.isPresent() && sizes.size() < 10);

        assertThat(sizes).containsExactly(3, 3, 1);
        assertThat(newestFirst).doesNotHaveDuplicates().hasSize(7);
        assertThat(seen).extracting(Project::createdAt).isSortedAccordingTo((a, b) -> b.compareTo(a));
    }

    @Test
    void replacesOnlyTheVersionThatWasRead() {
        Project read = StoreFixtures.project(me, "versions", T0);
        projects.insert(read);

        projects.replace(withSlug(read, "changed", 0));

        assertThat(projects.find(me, read.id())).contains(withSlug(read, "changed", 1));
        assertFails(FailureCode.CHANGED_MEANWHILE, () -> projects.replace(withSlug(read, "late", 0)));
        assertThat(projects.find(me, read.id()).orElseThrow().slug()).isEqualTo("changed");
    }

    @Test
    void removesOnce() {
        Project project = StoreFixtures.project(me, "gone", T0);
        projects.insert(project);

        boolean first = projects.delete(me, project.id());
        boolean second = projects.delete(me, project.id());

        assertThat(first).isTrue();
        assertThat(second).isFalse();
        assertThat(projects.find(me, project.id())).isEmpty();
    }

    static Project withSlug(Project project, String slug, long version) {
        return new Project(
                project.id(), project.ownerId(), project.name(), slug, project.gitUrl(), project.createdAt(), version);
    }

    static void assertFails(FailureCode code, ThrowingCallable call) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(call)
                .extracting(StoreException::code)
                .isEqualTo(code);
    }
}
