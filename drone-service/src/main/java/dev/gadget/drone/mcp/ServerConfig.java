package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How one server is reached, as the owner wrote it. */
public sealed interface ServerConfig {
    Common common();

    default String name() {
        return common().name();
    }

    /**
     * What all servers have.
     *
     * @param written the whole configuration as it stands in the file
     * @param readOnlyTools tools of which the owner says that they only read
     * @param disabled whether it is not to be started
     * @param ignored keys that mean nothing here
     */
    record Common(
            String name,
            JsonNode written,
            Set<String> readOnlyTools,
            Duration startsWithin,
            Duration answersWithin,
            boolean disabled,
            List<String> ignored) {}

    /**
     * A program that is spoken to by its standard input and output.
     *
     * @param cwd where it runs, null for the owner's home
     * @param mayChange files of the workspace on its command line that are data and not part of what is trusted
     */
    record Stdio(
            Common common,
            String command,
            List<String> args,
            Map<String, String> env,
            @Nullable String cwd,
            Set<String> mayChange)
            implements ServerConfig {

        /**
         * Where it runs. Not in the workspace unless the owner says so: runners of packages and interpreters take code from the
         * directory that they are started in.
         */
        public Path directory(Path workspace) {
            return cwd == null
                    ? Path.of(System.getProperty("user.home", "/"))
                    : workspace.resolve(cwd).normalize();
        }
    }

    /** A server at an address, spoken to by streamable HTTP. */
    record Http(Common common, URI url, Map<String, String> headers) implements ServerConfig {}
}
