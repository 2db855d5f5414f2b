package dev.gadget.code.config;

import dev.gadget.model.ProviderType;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Every setting of the code service. */
@ConfigMapping(prefix = "gadget")
public interface CodeConfig {
    /** Where everything lies that has to survive a restart: the embedded store, the key file. Made with 0700 when missing. */
    @WithDefault("${user.home}/.local/share/gadget")
    Path dataDir();

    /** The key that seals provider keys in the store, 32 bytes in Base64; without one a file secret.key in the data directory is made. */
    Optional<String> secretKey();

    /** Further origins that may use the API from a browser, for example {@code https://gadget.example}, comma separated; for proxies that change the Host header. */
    Optional<List<String>> allowedOrigins();

    /** The first administrator. */
    Admin admin();

    /** Sign-in. */
    Login login();

    /** What is made at every start when it is missing. */
    Setup setup();

    /** Where projects, sessions and turns are kept. */
    Store store();

    /** Who did what. */
    Audit audit();

    /** What is kept of one turn. */
    Turn turn();

    /** Conversations. */
    Session session();

    /** Settings of how much is kept of one turn; a drone that says more has it ended. */
    interface Turn {
        /** How many characters all of its texts, calls and what came of them may have. */
        @WithDefault("50000000")
        long maxChars();

        /** How many blocks it may have, those of its subagents among them. */
        @WithDefault("20000")
        int maxBlocks();
    }

    /** Settings of sessions. */
    interface Session {
        /** How many sessions a person may have, branches among them, which are copies. */
        @WithDefault("5000")
        int maxPerPerson();
    }

    /** What is told to those who watch the service. */
    Metrics metrics();

    /** Settings of {@code /q/metrics}, which programs of the same machine read in any case. */
    interface Metrics {
        /** Whoever has it as a bearer token reads them, too. */
        Optional<String> token();

        /** Everybody who reaches the port reads them: where a network keeps others away from it. */
        @WithDefault("false")
        boolean open();
    }

    /** Settings of what is kept of who did what. */
    interface Audit {
        /** How long an audit entry is kept. */
        @WithDefault("365d")
        Duration keep();
    }

    /** Settings of the first administrator. */
    interface Admin {
        /** The email of the administrator that the first start makes, and for whom the setup is made. */
        @WithDefault("admin@localhost")
        String email();

        /** The password of that administrator; without one a random password is made and printed once. */
        Optional<String> password();

        /** Sets the password of that administrator anew at this start, and ends all of its sign-ins; also makes it an administrator again. */
        @WithDefault("false")
        boolean reset();
    }

    /** Settings of sign-in. */
    interface Login {
        /** How long a browser stays signed in. */
        @WithDefault("30d")
        Duration sessionLifetime();

        /** How many times a wrong password may be given for one email within the window. */
        @WithDefault("10")
        int maxFailuresPerEmail();

        /** How many times a wrong password or enrolment code may be given from one address within the window. */
        @WithDefault("50")
        int maxFailuresPerAddress();

        /** How long a failure counts. */
        @WithDefault("10m")
        Duration window();
    }

    /** Settings of what is made at every start when it is missing. */
    interface Setup {
        /** A provider for the administrator. */
        SetupProvider provider();

        /** A project for the administrator. */
        SetupProject project();

        /** A file that gets a fresh enrolment code at every start, good for one drone and one hour; written with 0600. */
        Optional<Path> enrolmentCodeFile();
    }

    /** Settings of the provider that is made at the start; nothing is made without a base URL. */
    interface SetupProvider {
        /** Its name, by which it is found again. */
        @WithDefault("default")
        String name();

        /** {@code openai} or {@code ollama}. */
        @WithDefault("openai")
        ProviderType type();

        /** Where it answers: for {@code openai} up to and with {@code /v1}, for {@code ollama} the server's root. */
        Optional<String> baseUrl();

        /** Its key, when it wants one. */
        Optional<String> apiKey();

        /** The model that new sessions start with. */
        Optional<String> model();
    }

    /** Settings of the project that is made at the start. */
    interface SetupProject {
        /** Its name; without one no project is made. */
        Optional<String> name();
    }

    /** Settings of the store. */
    interface Store {
        /** Connection string of a MongoDB 7 or newer; without one an embedded store under the data directory is used. */
        Optional<String> mongodbUrl();

        /** Embedded store: force every group of writes to the disk, so that it survives a loss of power too; slower. */
        @WithDefault("false")
        boolean fsync();

        /** Embedded store: how often the journal is folded into the store file. */
        @WithDefault("1s")
        Duration checkpointEvery();

        /** How long a caller waits for a store that does not answer before the request fails as store_unavailable. */
        @WithDefault("5s")
        Duration timeout();
    }
}
