package dev.gadget.drone.tool;

import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.SafeFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Searches without the help of another program. */
final class OwnSearch {
    private static final int MAX_FILE = 5 * 1024 * 1024;
    private static final Duration MAX_TIME = Duration.ofSeconds(30);

    private OwnSearch() {}

    static void search(ToolInvocation call, Path start, Pattern wanted, SearchHits hits) throws IOException {
        Optional<Pattern> glob = call.find("glob").map(Glob::compile);
        long end = System.nanoTime() + MAX_TIME.toNanos();
        if (!Files.isDirectory(start)) {
            search(call, start, wanted, end, hits);
            return;
        }
        FileWalk.over(call.workspace(), start, call.cancel(), (path, directory) -> {
            String relative = start.relativize(path).toString().replace('\\', '/');
            boolean asked = !directory
                    && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                    && glob.map(each -> each.matcher(relative).matches()).orElse(true);
            return !asked || search(call, path, wanted, end, hits);
        });
    }

    private static boolean search(ToolInvocation call, Path file, Pattern wanted, long end, SearchHits hits) {
        String text;
        try {
            byte[] bytes = SafeFiles.read(call.workspace(), file, MAX_FILE);
            for (int i = 0; i < Math.min(bytes.length, 8192); i++) {
                if (bytes[i] == 0) {
                    return true;
                }
            }
            text = new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException | PathRefusedException e) {
            // A file that is too large, or that went away, is passed over, as ripgrep does.
            return true;
        }
        int number = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            number++;
            if (wanted.matcher(new Timed(line, end)).find() && !hits.add(file, number, line)) {
                return false;
            }
        }
        return true;
    }

    /** A text that stops whoever reads it for too long: an expression may take time beyond measure. */
    private record Timed(CharSequence text, long end) implements CharSequence {
        @Override
        public char charAt(int index) {
            if (System.nanoTime() > end) {
                throw new ToolFailedException("The search took longer than " + MAX_TIME.toSeconds()
                        + " seconds. Use a simpler pattern, or a narrower path or glob.");
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }
    }
}
