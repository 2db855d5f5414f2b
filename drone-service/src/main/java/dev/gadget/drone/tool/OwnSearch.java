package dev.gadget.drone.tool;

import dev.gadget.drone.policy.PathGlob;
import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.SafeFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Searches without the help of another program. */
final class OwnSearch {
    private static final int MAX_FILE = 5 * 1024 * 1024;
    private static final Duration MAX_TIME = Duration.ofSeconds(30);

    private OwnSearch() {}

    static void search(ToolInvocation call, Path start, Pattern wanted, SearchHits hits) throws IOException {
        Optional<PathGlob> glob =
                call.find("glob").filter(each -> !each.isBlank()).map(Glob::compile);
        long end = System.nanoTime() + MAX_TIME.toNanos();
        if (!Files.isDirectory(start)) {
            search(call, start, wanted, end, hits);
            return;
        }
        FileWalk.over(call.workspace(), start, call.cancel(), (path, directory) -> {
            String relative = start.relativize(path).toString().replace('\\', '/');
            boolean asked = !directory
                    && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                    && glob.map(each -> each.matches(relative)).orElse(true);
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
        Timed line = new Timed(end);
        Matcher matcher = wanted.matcher(line);
        int number = 0;
        for (int from = 0; from < text.length(); ) {
            int to = text.indexOf('\n', from);
            to = to < 0 ? text.length() : to;
            number++;
            line.show(text, from, to > from && text.charAt(to - 1) == '\r' ? to - 1 : to);
            if (matcher.reset().find() && !hits.add(file, number, line.toString())) {
                return false;
            }
            from = to + 1;
        }
        return true;
    }

    /** A line that stops whoever reads it for too long: an expression may take time beyond measure. */
    private static final class Timed implements CharSequence {
        private static final int LOOKS_AT_THE_CLOCK = 4096;

        private final long deadline;
        private String text = "";
        private int from;
        private int to;
        private int reads;

        Timed(long deadline) {
            this.deadline = deadline;
        }

        void show(String whole, int start, int end) {
            text = whole;
            from = start;
            to = end;
        }

        @Override
        public char charAt(int index) {
            if (++reads % LOOKS_AT_THE_CLOCK == 0 && System.nanoTime() > deadline) {
                throw new ToolFailedException("The search took longer than " + MAX_TIME.toSeconds()
                        + " seconds. Use a simpler pattern, or a narrower path or glob.");
            }
            return text.charAt(from + index);
        }

        @Override
        public int length() {
            return to - from;
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(from + start, from + end);
        }

        @Override
        public String toString() {
            return text.substring(from, to);
        }
    }
}
