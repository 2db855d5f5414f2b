package dev.gadget.drone.cli;

import io.quarkus.picocli.runtime.PicocliRunner;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.File;
import java.nio.file.Path;

/** Where the program begins. */
@QuarkusMain
public final class DroneProgram {
    /** A file, so that nothing can be below it. */
    private static final String NOWHERE = "/dev/null";

    private DroneProgram() {}

    /**
     * Starts the command line. The framework would take settings from files of the current directory ({@code .env},
     * {@code config/application.properties}), which is the workspace: whoever wrote a repository would set the drone.
     */
    public static void main(String... arguments) {
        keepCurrentDirectory();
        System.setProperty("user.dir", NOWHERE);
        Quarkus.run(PicocliRunner.class, arguments);
    }

    /** The JDK reads the property once, natively when the first relative path is used: paths keep their meaning. */
    private static void keepCurrentDirectory() {
        var _ = Path.of("").toAbsolutePath();
        var _ = new File("").getAbsolutePath();
    }
}
