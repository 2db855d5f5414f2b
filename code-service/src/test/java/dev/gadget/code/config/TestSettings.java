package dev.gadget.code.config;

import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The settings as a test gives them, the rest by default. */
public final class TestSettings {
    private static final int BEFORE_THE_OTHERS = 300;

    private TestSettings() {}

    public static CodeConfig of(Path dataDir, Map<String, String> values) {
        return new SmallRyeConfigBuilder()
                .withMapping(CodeConfig.class)
                .withConverter(Duration.class, BEFORE_THE_OTHERS, new DurationConverter())
                .withDefaultValue("gadget.data-dir", dataDir.toString())
                .withDefaultValues(values)
                .build()
                .getConfigMapping(CodeConfig.class);
    }
}
