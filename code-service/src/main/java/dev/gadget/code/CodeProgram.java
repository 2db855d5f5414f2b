package dev.gadget.code;

import dev.gadget.code.store.StoreException;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusBindException;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigValidationException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Where the program begins, and where it says in one line why it could not. */
@QuarkusMain
public final class CodeProgram {
    private static final Logger LOG = Logger.getLogger(CodeProgram.class);

    private CodeProgram() {}

    public static void main(String... arguments) {
        Quarkus.run(null, CodeProgram::ended, arguments);
    }

    private static void ended(int code, @Nullable Throwable why) {
        if (why != null) {
            said(why)
                    .ifPresentOrElse(
                            sentence -> System.err.println("Gadget cannot start: " + sentence),
                            () -> LOG.error("Gadget cannot start", why));
            LOG.debug("the start failed", why);
        }
        System.exit(code);
    }

    /** What was found out in words on the way; the framework wraps it. */
    private static Optional<String> said(Throwable why) {
        return Stream.iterate(why, one -> one != null, Throwable::getCause)
                .map(CodeProgram::sentence)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> sentence(Throwable why) {
        return switch (why) {
            case StoreException _, RefusedException _, UncheckedIOException _ -> Optional.ofNullable(why.getMessage());
            // Of others it says nothing to who starts the service.
            case IllegalStateException ours when isOurs(ours) -> Optional.ofNullable(ours.getMessage());
            case ConfigurationException _, ConfigValidationException _ -> Optional.ofNullable(why.getMessage());
            case QuarkusBindException bind ->
                Optional.of("the port " + bind.getPort() + " is taken. Choose another one with quarkus.http.port.");
            default -> Optional.empty();
        };
    }

    private static boolean isOurs(Throwable why) {
        StackTraceElement[] trace = why.getStackTrace();
        return trace.length > 0 && trace[0].getClassName().startsWith("dev.gadget.");
    }
}
