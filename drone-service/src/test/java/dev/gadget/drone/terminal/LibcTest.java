package dev.gadget.drone.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LibcTest {
    private static final String METADATA = "META-INF/native-image/dev.gadget/drone-service/reachability-metadata.json";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    @DisplayName("the native program is told of exactly the calls that are linked")
    void registered() throws Exception {
        JsonNode calls;
        try (InputStream in = LibcTest.class.getClassLoader().getResourceAsStream(METADATA)) {
            calls = MAPPER.readTree(in).path("foreign").path("downcalls");
        }
        Set<String> told = new TreeSet<>();
        for (JsonNode call : calls) {
            List<String> parameters = new ArrayList<>();
            call.path("parameterTypes").forEach(type -> parameters.add(type.asText()));
            Set<String> options = new TreeSet<>();
            call.path("options").properties().forEach(option -> options.add(option.getKey() + "=" + option.getValue()));
            told.add(call.path("returnType").asText() + " of " + parameters + " " + options);
        }

        Set<String> linked = new TreeSet<>();
        for (Libc.Shape shape : new Libc().shapes()) {
            Set<String> options = new TreeSet<>(Set.of("captureCallState=true"));
            shape.firstVariadic().ifPresent(index -> options.add("firstVariadicArg=" + index));
            linked.add(name(shape.descriptor().returnLayout().orElseThrow()) + " of "
                    + shape.descriptor().argumentLayouts().stream()
                            .map(LibcTest::name)
                            .toList() + " " + options);
        }

        assertThat(told).isEqualTo(linked).isNotEmpty();
    }

    private static String name(MemoryLayout layout) {
        return switch (layout) {
            case AddressLayout _ -> "void*";
            case ValueLayout.OfInt _ -> "jint";
            case ValueLayout.OfLong _ -> "jlong";
            default -> throw new AssertionError("no name is known for " + layout);
        };
    }
}
