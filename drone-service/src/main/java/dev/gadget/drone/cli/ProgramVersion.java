package dev.gadget.drone.cli;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.ConfigProvider;
import picocli.CommandLine.IVersionProvider;

/** Which release this is. */
@Singleton
public class ProgramVersion implements IVersionProvider {
    static String value() {
        return ConfigProvider.getConfig().getValue("quarkus.application.version", String.class);
    }

    @Override
    public String[] getVersion() {
        return new String[] {"gadget-drone " + value()};
    }
}
