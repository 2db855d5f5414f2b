package dev.gadget.drone.tool;

import dev.gadget.drone.provider.CancelSignal;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Searches with ripgrep, when it is installed. */
final class RipGrep {
    static final Duration MAX_TIME = Duration.ofSeconds(30);
    /** It ends with this also when all that went wrong is that it could not read some file; then it says nothing. */
    private static final int TROUBLE = 2;

    private static final Pattern HIT = Pattern.compile("([^\\x00]*)\\x00(\\d+):(.*)");

    private RipGrep() {}

    /** Where it is, by the drone's own PATH. */
    static Optional<Path> find() {
        for (String directory :
                Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator)) {
            Path candidate = Path.of(directory.isEmpty() ? "." : directory, "rg");
            if (candidate.isAbsolute() && Files.isExecutable(candidate) && Files.isRegularFile(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    static void search(Path program, ToolInvocation call, Path start, boolean literal, Duration within, SearchHits hits)
            throws IOException, InterruptedException {
        Path base = call.workspace().base();
        Process process = new ProcessBuilder(command(program, call, start, literal))
                .directory(base.toFile())
                .redirectInput(new File("/dev/null"))
                .start();
        var late = new AtomicBoolean();
        Thread limit = Thread.ofVirtual().start(() -> stopLater(process, within, late));
        StringBuilder errors = new StringBuilder();
        Thread reader = Thread.ofVirtual().start(() -> readErrors(process, errors));
        boolean enough = false;
        try (CancelSignal.Registration ignored = call.cancel().onCancel(process::destroyForcibly);
                BufferedReader output =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null && !enough; line = output.readLine()) {
                Matcher hit = HIT.matcher(line);
                enough = hit.matches()
                        && !hits.add(
                                base.resolve(hit.group(1)).normalize(), Integer.parseInt(hit.group(2)), hit.group(3));
            }
            if (!enough) {
                // By itself: what it says of its end is lost once it is ended from here.
                process.waitFor();
                reader.join(1000);
            }
        } catch (IOException e) {
            // Its output is closed with it.
            if (!late.get()) {
                throw e;
            }
        } finally {
            process.destroyForcibly();
            limit.interrupt();
        }
        if (enough) {
            return;
        }
        if (late.get()) {
            throw new ToolFailedException("The search took longer than " + within.toSeconds()
                    + " seconds. Use a simpler pattern, or a narrower path or glob.");
        }
        int status = process.waitFor();
        if (status < TROUBLE) {
            return;
        }
        String said = errors.toString().strip();
        if (status > TROUBLE || !said.isEmpty()) {
            throw new ToolFailedException(
                    "The search did not end well: " + (said.isEmpty() ? "it ended with " + status : said));
        }
        hits.someUnread();
    }

    private static List<String> command(Path program, ToolInvocation call, Path start, boolean literal) {
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--no-config",
                "--no-messages",
                "--line-number",
                "--with-filename",
                "--null",
                "--no-heading",
                "--color=never",
                "--hidden",
                "--no-require-git",
                "--max-filesize=5M",
                "--max-columns=1000",
                "--max-columns-preview"));
        if (literal) {
            command.add("--fixed-strings");
        }
        call.find("glob").filter(glob -> !glob.isBlank()).ifPresent(glob -> command.add("--glob=" + glob));
        FileWalk.SKIPPED.forEach(name -> command.add("--glob=!" + name));
        command.add("--regexp=" + call.text("pattern"));
        command.add("--");
        command.add(call.workspace().show(start));
        return command;
    }

    private static void readErrors(Process process, StringBuilder errors) {
        try {
            errors.append(new String(process.getErrorStream().readNBytes(4000), StandardCharsets.UTF_8));
        } catch (IOException e) {
            errors.append(e.getMessage());
        }
    }

    private static void stopLater(Process process, Duration within, AtomicBoolean late) {
        try {
            if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
                late.set(true);
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
