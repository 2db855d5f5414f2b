package dev.gadget.code.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Every setting of the code service. */
@ConfigMapping(prefix = "gadget")
public interface CodeConfig {
    /** Where everything lies that has to survive a restart: the embedded store, the key file. Made with 0700 when missing. */
    @WithDefault("${user.home}/.local/share/gadget")
    Path dataDir();

    /** The key that seals provider keys in the store, 32 bytes in Base64; without one a file secret.key in the data directory is made. */
    Optional<String> secretKey();

    /** Where projects, sessions and turns are kept. */
    Store store();

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
