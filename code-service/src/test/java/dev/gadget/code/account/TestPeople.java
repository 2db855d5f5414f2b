package dev.gadget.code.account;

import dev.gadget.code.store.AccountArchive;
import dev.gadget.model.DroneId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AccountApi.Role;
import io.quarkus.elytron.security.common.BcryptUtil;
import io.restassured.RestAssured;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** People for tests, signed in without the time that a real sign-in takes. */
@Singleton
public class TestPeople {
    public static final String ADMIN_EMAIL = "admin@example.org";
    public static final String ADMIN_PASSWORD = "correct-horse-battery";
    public static final String PASSWORD = "a-password-for-tests";

    private static final int CHEAP = 4;

    private final AccountArchive archive;
    private final Tokens tokens;

    TestPeople(AccountArchive archive, Tokens tokens) {
        this.archive = archive;
        this.tokens = tokens;
    }

    /** One person and a personal access token. */
    public record Person(UserId id, String email, String token) {
        /** A request in this person's name. */
        public RequestSpecification request() {
            return RestAssured.given().auth().oauth2(token).contentType("application/json");
        }
    }

    /** A fresh one. */
    public Person member() {
        return make(Role.MEMBER);
    }

    /** A fresh one that administers. */
    public Person administrator() {
        return make(Role.ADMIN);
    }

    /** A drone's credential of this person. */
    public String credential(UserId owner, DroneId drone) {
        return tokens.issue(owner, Caller.Kind.DRONE, drone, "drone", null).token();
    }

    /** A token of this person that lives so long. */
    public String token(UserId owner, Duration lifetime) {
        return tokens.issue(owner, Caller.Kind.TOKEN, null, "short", lifetime).token();
    }

    private Person make(Role role) {
        UserId id = UserId.random();
        String email = UUID.randomUUID() + "@example.org";
        archive.insert(new Account(
                id, email, "Test", role, BcryptUtil.bcryptHash(PASSWORD, CHEAP), false, Instant.ofEpochMilli(0), 0));
        return new Person(
                id,
                email,
                tokens.issue(id, Caller.Kind.TOKEN, null, "test", null).token());
    }
}
