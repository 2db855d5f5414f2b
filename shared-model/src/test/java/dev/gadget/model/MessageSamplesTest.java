package dev.gadget.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.file.FileAnswer;
import dev.gadget.model.file.FileQuestion;
import dev.gadget.model.ide.IdeCommand;
import dev.gadget.model.ide.IdeEvent;
import dev.gadget.model.terminal.TerminalCommand;
import dev.gadget.model.terminal.TerminalEvent;
import dev.gadget.model.turn.TurnChange;
import dev.gadget.model.work.WorkEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The samples are the wire: a record that reads and writes them as they are speaks what the page and other clients speak. */
class MessageSamplesTest {
    private static final Path SAMPLES = Path.of("src/test/resources/samples");
    private static final Path PROTOCOL = Path.of("../docs/protocol.md");

    private static final Map<String, Class<?>> FAMILIES = Map.of(
            "ide-command", IdeCommand.class,
            "ide-event", IdeEvent.class,
            "drone-command", DroneCommand.class,
            "drone-event", DroneEvent.class,
            "work-entry", WorkEntry.class,
            "file-question", FileQuestion.class,
            "file-answer", FileAnswer.class,
            "terminal-command", TerminalCommand.class,
            "terminal-event", TerminalEvent.class,
            "turn-change", TurnChange.class);

    /** Where docs/protocol.md lists a family: the heading, and the first cell of the table. */
    private static final Map<String, List<String>> TABLES = Map.of(
            "turn-change", List.of("## Reading a turn", "step"),
            "ide-command", List.of("## /ws/ide", "page says"),
            "ide-event", List.of("## /ws/ide", "service says"),
            "drone-event", List.of("## /ws/drone", "drone says"),
            "drone-command", List.of("## /ws/drone", "service says"),
            "work-entry", List.of("### Entries", "entry"),
            "file-question", List.of("### Files", "question"),
            "file-answer", List.of("### Files", "answer"),
            "terminal-command", List.of("## /ws/terminal", "page says"),
            "terminal-event", List.of("## /ws/terminal", "terminal says"));

    private final JsonMapper mapper = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    @TestFactory
    @DisplayName("every message has a sample, and every sample is a message")
    Stream<DynamicTest> complete() {
        return FAMILIES.entrySet().stream()
                .map(family -> dynamicTest(
                        family.getKey(),
                        () -> assertThat(samples(family.getKey())).isEqualTo(names(family.getValue()))));
    }

    @TestFactory
    @DisplayName("every sample becomes its record, and the record the sample again")
    Stream<DynamicTest> thereAndBack() {
        return FAMILIES.entrySet().stream()
                .flatMap(family -> Arrays.stream(family.getValue().getPermittedSubclasses())
                        .map(message -> dynamicTest(
                                family.getKey() + "/" + name(message),
                                () -> thereAndBack(family.getKey(), family.getValue(), message))));
    }

    @TestFactory
    @DisplayName("docs/protocol.md names every message, and no other")
    Stream<DynamicTest> documented() {
        return FAMILIES.entrySet().stream()
                .map(family -> dynamicTest(
                        family.getKey(),
                        () -> assertThat(documented(family.getKey())).isEqualTo(names(family.getValue()))));
    }

    private static Set<String> documented(String family) throws IOException {
        List<String> place = Objects.requireNonNull(TABLES.get(family), family);
        return Files.readAllLines(PROTOCOL).stream()
                .dropWhile(line -> !line.startsWith(place.getFirst()))
                .dropWhile(line -> !line.startsWith("| " + place.getLast()))
                .takeWhile(line -> line.startsWith("|"))
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void thereAndBack(String family, Class<?> type, Class<?> message) throws IOException {
        String sample = Files.readString(SAMPLES.resolve(family).resolve(name(message) + ".json"));
        Object read = mapper.readValue(sample, type);
        assertThat(read).isInstanceOf(message);
        assertThat(mapper.readTree(mapper.writerFor(type).writeValueAsString(read)))
                .isEqualTo(mapper.readTree(sample));
        assertThat(mapper.readValue(mapper.writeValueAsString(read), type)).isEqualTo(read);
    }

    private static Set<String> names(Class<?> family) {
        return Arrays.stream(family.getPermittedSubclasses())
                .map(MessageSamplesTest::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String name(Class<?> message) {
        return Objects.requireNonNull(message.getAnnotation(JsonTypeName.class), () -> message + " has no name")
                .value();
    }

    private static Set<String> samples(String family) {
        try (Stream<Path> files = Files.list(SAMPLES.resolve(family))) {
            return files.map(file -> file.getFileName().toString().replaceFirst("\\.json$", ""))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
