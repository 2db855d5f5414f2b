package dev.gadget.model.drone;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * How busy a machine is.
 *
 * @param loadAverage of the last minute, where the system tells it; as many as there are processors is fully busy
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MachineLoad(int processors, @Nullable Double loadAverage) {
    /** Of this machine, now. */
    public static MachineLoad now() {
        var system = ManagementFactory.getOperatingSystemMXBean();
        double average = system.getSystemLoadAverage();
        return new MachineLoad(system.getAvailableProcessors(), average < 0 ? null : Math.round(average * 100) / 100.0);
    }
}
