package dev.gadget.code.store;

import static dev.gadget.code.store.ArchiveContract.assertFails;
import static dev.gadget.code.store.StoreFixtures.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.code.account.Account;
import dev.gadget.code.account.Caller;
import dev.gadget.code.account.StoredToken;
import dev.gadget.code.drone.Enrolment;
import dev.gadget.model.DroneId;
import dev.gadget.model.FailureCode;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AccountApi.Role;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every store has to do alike, for accounts, tokens and enrolment codes. */
abstract class AccountArchiveContract {
    @Inject
    AccountArchive accounts;

    @Inject
    TokenArchive tokens;

    @Inject
    EnrolmentArchive enrolments;

    final UserId me = UserId.random();

    @Test
    void findsAnAccountByItsEmailInWhateverCase() {
        Account account = account("Ann@Example.org", T0);

        accounts.insert(account);

        assertThat(accounts.find(account.id())).contains(account);
        assertThat(accounts.byEmail(account.email().toUpperCase(Locale.ROOT))).contains(account);
        assertThat(accounts.byEmail("nobody" + account.email())).isEmpty();
    }

    @Test
    void refusesASecondAccountWithTheSameEmailInAnotherCase() {
        Account first = account("Bob@Example.org", T0);
        accounts.insert(first);
        Account second = account("x", T0);
        accounts.insert(second);
        String sameEmail = first.email().toUpperCase(Locale.ROOT);

        assertFails(FailureCode.CONFLICT, () -> accounts.insert(changed(account("y", T0), sameEmail, 0)));
        assertFails(FailureCode.CONFLICT, () -> accounts.replace(changed(second, sameEmail, 0)));
        assertThat(accounts.find(second.id())).contains(second);
    }

    @Test
    void replacesAnAccountOnlyUnderItsVersion() {
        Account read = account("version", T0);
        accounts.insert(read);

        accounts.replace(read);

        assertThat(accounts.find(read.id())).contains(changed(read, read.email(), 1));
        assertFails(FailureCode.CHANGED_MEANWHILE, () -> accounts.replace(read));
    }

    @Test
    void listsAccountsNewestFirstAPageAtATime() {
        Instant future = T0.plusSeconds(1_000_000);
        List<Account> made = IntStream.range(0, 5)
                .mapToObj(number -> account("list" + number, future.plusSeconds(number)))
                .toList();
        made.forEach(accounts::insert);
        long count = accounts.count();

        Slice<Account> first = accounts.list(Optional.empty(), 3);
        Slice<Account> second = accounts.list(first.next(), 2);

        assertThat(first.items()).containsExactly(made.get(4), made.get(3), made.get(2));
        assertThat(second.items()).containsExactly(made.get(1), made.get(0));
        assertThat(count).isGreaterThanOrEqualTo(5);
    }

    @Test
    void findsATokenByItsHash() {
        StoredToken token = token(me, Caller.Kind.DRONE, T0, T0.plusSeconds(60));

        tokens.insert(token);

        assertThat(tokens.byHash(token.hash())).contains(token);
        assertThat(tokens.byHash(token.id())).isEmpty();
        assertFails(FailureCode.CONFLICT, () -> tokens.insert(token));
    }

    @Test
    void notesWhenATokenWasUsed() {
        StoredToken token = token(me, Caller.Kind.TOKEN, T0, null);
        tokens.insert(token);

        tokens.touch(token.id(), T0.plusSeconds(9));

        assertThat(tokens.byHash(token.hash()).orElseThrow().lastUsedAt()).isEqualTo(T0.plusSeconds(9));
    }

    @Test
    void listsAndRemovesTheTokensOfOnePersonAndOneKind() {
        StoredToken older = token(me, Caller.Kind.TOKEN, T0, null);
        StoredToken newer = token(me, Caller.Kind.TOKEN, T0.plusSeconds(1), null);
        StoredToken browser = token(me, Caller.Kind.BROWSER, T0, null);
        StoredToken theirs = token(UserId.random(), Caller.Kind.TOKEN, T0, null);
        List.of(older, newer, browser, theirs).forEach(tokens::insert);

        assertThat(tokens.ofUser(me, Caller.Kind.TOKEN)).containsExactly(newer, older);
        assertThat(tokens.delete(me, theirs.id())).isFalse();
        assertThat(tokens.deleteOfUser(me, Caller.Kind.TOKEN)).containsExactlyInAnyOrder(older.id(), newer.id());
        assertThat(tokens.ofUser(me, Caller.Kind.TOKEN)).isEmpty();
        assertThat(tokens.byHash(browser.hash())).contains(browser);
        assertThat(tokens.delete(me, browser.id())).isTrue();
        assertThat(tokens.byHash(theirs.hash())).contains(theirs);
    }

    // TTL indexes delete nothing in the embedded store, so the sweep is a command of our own.
    @Test
    void sweepsOnlyWhatHasExpired() {
        StoredToken expired = token(me, Caller.Kind.BROWSER, T0, T0.plusSeconds(1));
        StoredToken living = token(me, Caller.Kind.BROWSER, T0, T0.plusSeconds(100));
        StoredToken endless = token(me, Caller.Kind.BROWSER, T0, null);
        List.of(expired, living, endless).forEach(tokens::insert);
        Enrolment gone = enrolment(T0.plusSeconds(1));
        Enrolment valid = enrolment(T0.plusSeconds(100));
        enrolments.insert(gone);
        enrolments.insert(valid);

        assertThat(tokens.deleteExpired(T0.plusSeconds(50))).isPositive();
        assertThat(enrolments.deleteExpired(T0.plusSeconds(50))).isPositive();

        assertThat(tokens.byHash(expired.hash())).isEmpty();
        assertThat(tokens.byHash(living.hash())).isPresent();
        assertThat(tokens.byHash(endless.hash())).isPresent();
        assertThat(enrolments.use(gone.codeHash(), T0)).isEmpty();
        assertThat(enrolments.use(valid.codeHash(), T0)).contains(valid);
    }

    @Test
    void givesAnEnrolmentCodeToOneDroneOnly() throws Exception {
        Enrolment enrolment = enrolment(T0.plusSeconds(60));
        enrolments.insert(enrolment);
        Callable<Optional<Enrolment>> use = () -> enrolments.use(enrolment.codeHash(), T0);

        List<Enrolment> got = new ArrayList<>();
        try (var drones = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Optional<Enrolment>> answer : drones.invokeAll(Collections.nCopies(8, use))) {
                answer.get().ifPresent(got::add);
            }
        }

        assertThat(got).containsExactly(enrolment);
    }

    @Test
    void givesNoExpiredEnrolmentCode() {
        Enrolment enrolment = enrolment(T0.plusSeconds(60));
        enrolments.insert(enrolment);

        assertThat(enrolments.use(enrolment.codeHash(), T0.plusSeconds(60))).isEmpty();
        assertThat(enrolments.use(enrolment.codeHash(), T0.plusSeconds(59))).contains(enrolment);
    }

    private static Account account(String email, Instant createdAt) {
        String unique = UUID.randomUUID() + "." + email;
        return new Account(UserId.random(), unique, "A Name", Role.ADMIN, "$2a$10$hash", true, createdAt, 0);
    }

    private static Account changed(Account account, String email, long version) {
        return new Account(
                account.id(),
                email,
                account.name(),
                account.role(),
                account.passwordHash(),
                account.disabled(),
                account.createdAt(),
                version);
    }

    private static StoredToken token(UserId user, Caller.Kind kind, Instant createdAt, @Nullable Instant expiresAt) {
        DroneId drone = kind == Caller.Kind.DRONE ? DroneId.random() : null;
        return new StoredToken(
                UUID.randomUUID().toString(),
                "hash-" + UUID.randomUUID(),
                user,
                kind,
                drone,
                "laptop",
                createdAt,
                expiresAt,
                null);
    }

    private Enrolment enrolment(Instant expiresAt) {
        return new Enrolment("code-" + UUID.randomUUID(), me, T0, expiresAt);
    }
}
