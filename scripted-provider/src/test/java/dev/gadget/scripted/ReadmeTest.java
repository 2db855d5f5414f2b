package dev.gadget.scripted;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** README.md names what there is, and nothing else. */
class ReadmeTest {
    private static final Pattern ROW = Pattern.compile("^\\| `([^`]+)`(?:, `([^`]+)`)* \\|.*$");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    private static String section(String title) throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        int start = readme.indexOf("\n## " + title + "\n");
        assertThat(start).as("README.md has a section '%s'", title).isNotNegative();
        int end = readme.indexOf("\n## ", start + 1);
        return readme.substring(start, end < 0 ? readme.length() : end);
    }

    /** What stands in back quotes in the n-th column of the rows of a section. */
    private static List<List<String>> column(String title, int column) throws IOException {
        return section(title)
                .lines()
                .filter(ROW.asMatchPredicate())
                .map(row -> NAME.matcher(row.split("\\|")[column])
                        .results()
                        .map(MatchResult::group)
                        .map(quoted -> quoted.substring(1, quoted.length() - 1))
                        .toList())
                .toList();
    }

    @Test
    @DisplayName("the scenes, with their options")
    void scenes() throws IOException {
        assertThat(column("Scenes", 1).stream().flatMap(List::stream)).containsExactlyElementsOf(Scenes.names());
        List<List<String>> options = column("Scenes", 2);
        for (int i = 0; i < options.size(); i++) {
            String scene = Scenes.names().get(i);
            assertThat(options.get(i).stream()
                            .map(option -> option.split("=")[0].equals("NAME") ? "what" : option.split("=")[0]))
                    .as("options of %s", scene)
                    .containsExactlyInAnyOrderElementsOf(Scenes.options(scene));
        }
    }

    @Test
    @DisplayName("the options of every scene")
    void commonOptions() throws IOException {
        assertThat(column("Options of every scene", 1).stream()
                        .flatMap(List::stream)
                        .map(o -> o.split("=")[0]))
                .containsExactlyInAnyOrderElementsOf(Options.COMMON);
    }

    @Test
    @DisplayName("the faults")
    void faults() throws IOException {
        TreeSet<String> named = new TreeSet<>();
        column("Faults", 1).forEach(named::addAll);
        assertThat(named).containsExactlyElementsOf(Faults.names());
    }

    @Test
    @DisplayName("the options of the program")
    void program() throws IOException {
        String usage = section("Running it");
        assertThat(Arrays.stream(ScriptedProviderMain.HELP.split("[\\s\\[]+")).filter(word -> word.startsWith("--")))
                .isNotEmpty()
                .allSatisfy(option -> assertThat(usage).contains(option));
    }
}
