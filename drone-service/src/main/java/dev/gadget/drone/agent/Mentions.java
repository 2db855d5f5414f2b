package dev.gadget.drone.agent;

import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.SafeFiles;
import dev.gadget.drone.policy.UnaskedReads;
import dev.gadget.drone.policy.Workspace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Files and directories that a prompt names as {@code @src/Main.java} or {@code @"a name with blanks"}: the model is given what is
 * in them with the prompt, within a bound, so that it need not ask.
 */
final class Mentions {
    private static final int MOST_OF_A_FILE = 16 * 1024;
    private static final int MOST_OF_ALL = 48 * 1024;
    private static final int MOST_MENTIONS = 20;
    private static final int MOST_NAMES = 200;
    private static final int MOST_READ = 5000;

    private static final Pattern MENTION =
            Pattern.compile("(?<![\\p{Alnum}_@/.\\\\`])@(?:\"([^\"\\n]{1,500})\"|([\\p{Alnum}_./~+\\-]{1,500}))");
    private static final QuotingMarks MARKS = new QuotingMarks("mentioned");

    private final Workspace workspace;
    private final UnaskedReads reads;
    private int left;

    private Mentions(UnaskedReads reads, int most) {
        this.workspace = reads.workspace();
        this.reads = reads;
        left = most;
    }

    /** The prompt with the skill that it begins with and what it mentions after it, for a model with so much context; the same when it mentions nothing. */
    static String expanded(String prompt, UnaskedReads reads, @Nullable Integer contextTokens) {
        // About a quarter of the context at most.
        int most = contextTokens == null ? MOST_OF_ALL : Math.min(MOST_OF_ALL, contextTokens);
        Mentions mentions = new Mentions(reads, most);
        StringBuilder text = new StringBuilder(Skills.expanded(prompt, reads));
        for (String path : named(prompt)) {
            text.append(mentions.told(path));
        }
        return text.toString();
    }

    /** An earlier prompt, with a word on what came with it then and is not told again. */
    static String past(String prompt) {
        List<String> paths = named(prompt).stream()
                // Names of people look the same.
                .filter(path -> path.matches(".*[/. ].*"))
                .toList();
        return paths.isEmpty()
                ? prompt
                : prompt + "\n\n[With this prompt came then, as far as it was there, what is in "
                        + String.join(", ", paths) + ". It is not repeated here: read it again when you need it.]";
    }

    private static Set<String> named(String prompt) {
        Set<String> paths = new LinkedHashSet<>();
        Matcher mention = MENTION.matcher(prompt);
        while (mention.find() && paths.size() < MOST_MENTIONS) {
            String quoted = mention.group(1);
            // The full stop of a sentence is none of the name.
            String path = quoted == null ? mention.group(2).replaceAll("[.+~-]+$", "") : quoted;
            if (!path.isEmpty()) {
                paths.add(path);
            }
        }
        return paths;
    }

    private String told(String path) {
        Path place;
        try {
            place = workspace.toRead(path);
        } catch (PathRefusedException e) {
            return note(path, "was not read: " + e.getMessage());
        }
        try {
            if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
                return quoted(path, "directory", listing(place));
            }
            Optional<String> against = reads.against(place).filter(_ -> Files.exists(place, LinkOption.NOFOLLOW_LINKS));
            return against.isPresent() ? note(path, against.get()) : file(path, place);
        } catch (NoSuchFileException e) {
            // Names of people and packages look the same: only what cannot be one of them is worth a word.
            return path.matches(".*\\.\\w{1,8}") ? note(path, "is not there") : "";
        } catch (IOException | PathRefusedException e) {
            return note(path, "cannot be read: " + e.getMessage());
        }
    }

    private String file(String path, Path place) throws IOException {
        try (SeekableByteChannel channel = SafeFiles.open(workspace, place)) {
            long size = channel.size();
            int most = Math.min(left, MOST_OF_A_FILE);
            ByteBuffer read = ByteBuffer.allocate((int) Math.min(size, Math.max(most, 512)));
            while (read.hasRemaining() && channel.read(read) >= 0) {}
            byte[] bytes = Arrays.copyOf(read.array(), read.position());
            for (byte one : bytes) {
                if (one == 0) {
                    return note(path, "is a binary file of " + size + " bytes, which is not shown");
                }
            }
            if (most <= 0) {
                return note(path, "has " + size + " bytes, for which there is no room here; read_file reads it");
            }
            String text = new String(bytes, 0, Math.min(bytes.length, most), StandardCharsets.UTF_8);
            return quoted(
                    path,
                    "file",
                    size <= most ? text : text + "\n… cut: the file has " + size + " bytes, read_file reads the rest");
        }
    }

    private String listing(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> entries = Files.list(folder)) {
            entries.limit(MOST_READ)
                    .map(entry ->
                            entry.getFileName() + (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) ? "/" : ""))
                    .filter(name -> !name.equals(".gadget/") && !name.equals(".git/"))
                    .map(name -> name.replaceAll("\\p{Cntrl}", "?"))
                    .sorted()
                    .forEach(names::add);
        }
        int more = names.size() - MOST_NAMES;
        return String.join("\n", names.subList(0, Math.min(MOST_NAMES, names.size())))
                + (more > 0 ? "\n… and " + more + " more" : "");
    }

    private String quoted(String path, String kind, String content) {
        String text = MARKS.defused(content).stripTrailing();
        left -= text.length();
        return "\n\n<mentioned " + kind + "=\"" + path + "\">\n" + text + "\n</mentioned>";
    }

    private static String note(String path, String what) {
        return "\n\n[@" + path + " " + what + "]";
    }
}
