package dev.gadget.drone.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.policy.ShellCommands.Command;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A18: what is read of a line is what a shell runs of it. */
class ShellCommandsTest {
    /**
     * They write down their arguments, in one write because those of a pipe run side by side; after many of them the conditions of loops
     * turn.
     */
    private static final String PROGRAM = """
            #!/bin/sh
            told=${0##*/} between=$(printf '\\1')
            for a; do told=$told$between$a; done
            printf '%%s\\2' "$told" >> "$LOG"
            set -- $(wc -c < "$LOG")
            if [ "$1" -gt 2000 ]; then exit %d; else exit %d; fi
            """;

    /** Without what runs another command, as time and alias, of which rules say so. */
    private static final List<String> PARTS = List.of(
            "p",
            "q",
            "p",
            "q",
            "p a",
            "p b",
            "q c",
            " ",
            " ",
            " ",
            " ",
            " ",
            "\t",
            "\n",
            ";",
            ";",
            "&&",
            "||",
            "|",
            "&",
            "|&",
            "'",
            "\"",
            "'1'",
            "\"2\"",
            "1",
            "2",
            "1>/dev/null",
            "2>/dev/null",
            ">/dev/null",
            "> /dev/null",
            ">\u3000/dev/null",
            ">\r/dev/null",
            ">\n/dev/null",
            ">",
            ">>",
            "<",
            "<>",
            ">|",
            ">&",
            "&>",
            "2>&1",
            "2>&1 ",
            "<<",
            "/dev/null",
            "\\",
            "\\\n",
            "#",
            "$",
            "$'q'",
            "$(q)",
            "`q`",
            "{a,b}",
            "{",
            "}",
            "(",
            ")",
            "!",
            "~",
            "=",
            "a=b",
            "*",
            "?",
            "[ab]",
            "[",
            "]",
            "a1",
            "if ",
            "then ",
            "; then ",
            "elif ",
            "else ",
            "fi",
            "; fi",
            "while ",
            "until ",
            "; do ",
            "do ",
            "done",
            "; done",
            "'if' ",
            "i'f' ",
            "for ",
            "in ",
            "case ",
            "esac",
            "\r",
            "\u00a0",
            "\u3000",
            "\u2028",
            "\u00e9",
            "''",
            "\"\"",
            "'a b'",
            "\"q;q\"",
            "--",
            "-",
            ":",
            ",",
            "@",
            "%",
            "^",
            "+");

    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mvn test -T '1'>/dev/null deploy",
                "mvn test -T \"2\">/dev/null deploy",
                "echo '2'>/dev/null; if git push origin main; then echo; fi",
                "echo ''2>/dev/null; git push",
                "echo payload >\u3000/dev/null",
                "echo payload >\r/dev/null",
                "echo payload >\n/dev/null",
                "echo a\u00a0b",
                "git p\ud800sh",
                "echo a\u0085b"
            })
    @DisplayName("A18: a redirection that a shell reads in another way is not known")
    void whatAShellReadsOtherwiseIsNotKnown(String line) {
        assertThat(ShellCommands.of(line)).isEmpty();
    }

    @Test
    @DisplayName("A18: output that is thrown away is none of a command's words")
    void discardedOutputIsNoWord() {
        Optional<List<Command>> commands = ShellCommands.of("a b 2> \t/dev/null c >/dev/null; d 1>/dev/null 2>&1");

        assertThat(commands).hasValue(List.of(new Command(List.of("a", "b", "c"), 3), new Command(List.of("d"), 1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bin/dash", "/bin/bash"})
    @DisplayName(
            "A18: no shell runs a command of a line that is known, or writes a file by it, beyond those that were read")
    void shellsRunNothingElse(String shell) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of(shell)), shell + " is not here");
        program("p", 1, 0);
        program("q", 0, 1);
        Path work = Files.createDirectory(dir.resolve("work"));
        Files.writeString(work.resolve("a1"), "");
        long seed = Long.getLong("gadget.seed", 1);
        Random random = new Random(seed);
        int known = 0;
        while (known < Integer.getInteger("gadget.lines", 150)) {
            String line = line(random);
            Optional<List<Command>> read = ShellCommands.of(line);
            if (read.isPresent()) {
                known++;
                List<List<String>> ran = run(shell, line, work);
                String what = "seed " + seed + ", line " + line.replace("\n", "\\n");
                assertThat(ran).as(what).allMatch(one -> read.get().stream().anyMatch(command -> fits(command, one)));
                try (Stream<Path> files = Files.list(work)) {
                    assertThat(files).as(what).containsExactly(work.resolve("a1"));
                }
            }
        }
    }

    private static boolean fits(Command command, List<String> ran) {
        int certain = command.certain();
        boolean all = certain == command.words().size();
        return ran.size() >= certain
                && (!all || ran.size() == certain)
                && ran.subList(0, certain).equals(command.words().subList(0, certain));
    }

    private static String line(Random random) {
        StringBuilder line = new StringBuilder(random.nextBoolean() ? "p " : "");
        for (int i = random.nextInt(12); i >= 0; i--) {
            line.append(PARTS.get(random.nextInt(PARTS.size())));
            line.append(random.nextInt(3) == 0 ? " " : "");
        }
        return line.toString();
    }

    @Test
    @DisplayName(
            "which letters reach the shell is a matter of the machine that runs, not of the one that loaded this first")
    void locale() {
        String before = System.getProperty("sun.jnu.encoding", "UTF-8");
        boolean plain = ShellCommands.of("ls").isPresent();
        try {
            System.setProperty("sun.jnu.encoding", "US-ASCII");
            boolean ascii = ShellCommands.of("ls \u00e9").isPresent();
            System.setProperty("sun.jnu.encoding", "UTF-8");
            boolean utf8 = ShellCommands.of("ls \u00e9").isPresent();

            assertThat(List.of(plain, ascii, utf8)).containsExactly(true, false, true);
        } finally {
            System.setProperty("sun.jnu.encoding", before);
        }
    }

    private void program(String name, int later, int first) throws IOException {
        Path bin = Files.createDirectories(dir.resolve("bin"));
        Path file = Files.writeString(bin.resolve(name), PROGRAM.formatted(later, first));
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** Each command with its words, in the order in which they ran. */
    private List<List<String>> run(String shell, String line, Path work) throws Exception {
        Path log = Files.writeString(dir.resolve("log"), "");
        ProcessBuilder builder = new ProcessBuilder(shell, "-c", line).directory(work.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", dir.resolve("bin") + ":/usr/bin:/bin");
        builder.environment().put("LOG", log.toString());
        builder.redirectErrorStream(true).redirectOutput(dir.resolve("printed").toFile());
        Process process = builder.redirectInput(Path.of("/dev/null").toFile()).start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(line).isTrue();
        List<List<String>> ran = new ArrayList<>();
        for (String one : Files.readString(log, StandardCharsets.UTF_8).split("\2")) {
            if (!one.isEmpty()) {
                ran.add(List.of(one.split("\1", -1)));
            }
        }
        return ran;
    }
}
