package dev.gadget.code.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.WithDefault;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("docs/configuration.md and CodeConfig")
class ConfigurationPageTest {
    private static final Pattern ROW = Pattern.compile("\\| `(gadget\\.[a-z.-]+)` \\| (?:`([^`]*)`|none) \\|");

    @Test
    @DisplayName("name the same settings with the same defaults")
    void same() throws IOException {
        String page = Files.readString(Path.of("../docs/configuration.md"));
        String section = page.substring(page.indexOf("## The code service"), page.indexOf("## The drone"));
        Map<String, String> documented = new TreeMap<>();
        Matcher row = ROW.matcher(section);
        while (row.find()) {
            documented.put(row.group(1), row.group(2) == null ? "none" : row.group(2));
        }
        Map<String, String> existing = new TreeMap<>();
        collect("gadget", CodeConfig.class, existing);

        assertThat(documented).isEqualTo(existing);
    }

    private static void collect(String prefix, Class<?> group, Map<String, String> settings) {
        for (Method method : group.getDeclaredMethods()) {
            String name = prefix + "." + kebab(method.getName());
            if (method.getReturnType().isInterface()
                    && method.getReturnType().getName().startsWith("dev.gadget.")) {
                collect(name, method.getReturnType(), settings);
            } else {
                WithDefault given = method.getAnnotation(WithDefault.class);
                settings.put(name, given == null ? "none" : given.value().replace("${user.home}", "~"));
            }
        }
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
