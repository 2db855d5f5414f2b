package dev.gadget.model.drone;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How busy a machine is.
 *
 * @param loadAverage of the last minute, on Linux; as many as there are processors is fully busy
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MachineLoad(int processors, @Nullable Double loadAverage) {
    private static final Path LOAD = Path.of("/proc/loadavg");

    /** Of this machine, now. */
    public static MachineLoad now() {
        return new MachineLoad(Runtime.getRuntime().availableProcessors(), average());
    }

    /** Read by hand: the management beans of the JDK would come with all of JMX, and native images lack a part of it. */
    private static @Nullable Double average() {
        try {
            return Double.valueOf(Files.readString(LOAD).split(" ", 2)[0]);
        } catch (IOException | NumberFormatException _) {
            return null;
        }
    }
}
