package dev.gadget.model.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.gadget.model.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Bodies about accounts, sign-in and access tokens. */
public final class AccountApi {
    private AccountApi() {}

    /** What an account may do. */
    public enum Role {
        /** Manages users, and works. */
        @JsonProperty("admin")
        ADMIN,
        /** Works. */
        @JsonProperty("member")
        MEMBER
    }

    /** POST /auth/login. */
    public record LoginRequest(String email, String password) {
        @Override
        public String toString() {
            return "LoginRequest[" + email + "]";
        }
    }

    /** GET /me and the items of /users. */
    public record UserView(UserId id, String email, String name, Role role, boolean disabled, Instant createdAt) {}

    /** POST /users. */
    public record CreateUser(String email, String name, String password, Role role) {
        @Override
        public String toString() {
            return "CreateUser[" + email + "]";
        }
    }

    /** PATCH /users/{id}: what is absent stays. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record UpdateUser(
            @Nullable String name,
            @Nullable String password,
            @Nullable Role role,
            @Nullable Boolean disabled) {
        @Override
        public String toString() {
            return "UpdateUser[" + name + "]";
        }
    }

    /** POST /tokens. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record CreateToken(String name, @Nullable Integer expiresInDays) {}

    /** The items of GET /tokens. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record TokenView(
            String id,
            String name,
            Instant createdAt,
            @Nullable Instant expiresAt,
            @Nullable Instant lastUsedAt) {}

    /** The answer to POST /tokens: the only time that the token itself is shown. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record CreatedToken(
            String id,
            String name,
            String token,
            Instant createdAt,
            @Nullable Instant expiresAt) {
        @Override
        public String toString() {
            return "CreatedToken[" + id + "]";
        }
    }
}
