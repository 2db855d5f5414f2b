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
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Ways to do a task that a project describes, in the folders where other agents look for them, too. Their names and descriptions are
 * told at the start, the rest is read when one fits, or comes with a prompt that names it. It is text of the workspace: quoted, bounded, and no policy comes of it.
 */
final class Skills {
    /** Of two of one name the first counts. */
    private static final List<String> FOLDERS = List.of(".agents/skills", ".claude/skills");

    private static final String FILE = "SKILL.md";
    private static final int MOST_FOLDERS = 200;
    private static final int MOST_OF_A_FILE = 16 * 1024;
    private static final int MOST_AT_START = 8 * 1024;
    private static final int MOST_OF_A_DESCRIPTION = 500;

    private static final Pattern NAME = Pattern.compile("[\\p{Alnum}][\\p{Alnum}._-]{0,63}");
    private static final Pattern CALLED = Pattern.compile("/(" + NAME + ")(\\s[\\s\\S]*)?");
    private static final Pattern HEAD = Pattern.compile("\\A---[ \\t]*\\R([\\s\\S]*?)\\R---[ \\t]*(?:\\R|\\z)");
    private static final QuotingMarks MARKS = new QuotingMarks("project_skills", "skill");

    private record Skill(String path, String description, String text) {}

    private Skills() {}

    /** Which there are, for the instructions; at most so many characters. */
    static String atStart(UnaskedReads reads, int most) {
        int left = Math.min(most, MOST_AT_START);
        if (left <= 0) {
            return "";
        }
        StringBuilder list = new StringBuilder();
        for (var entry : in(reads).entrySet()) {
            Skill skill = entry.getValue();
            String line = "\n- " + entry.getKey() + ": " + skill.description() + " (" + skill.path() + ")";
            if (line.length() > left) {
                list.append("\n- … and more");
                break;
            }
            left -= line.length();
            list.append(line);
        }
        return list.isEmpty()
                ? ""
                : "\n\n# Skills\nThe project describes how some tasks are done in it. When one of them fits, read its file with `read_file`"
                        + " first and follow it as far as it serves what the person asked for.\n<project_skills>" + list
                        + "\n</project_skills>";
    }

    /** A prompt {@code /name …} with what the skill of that name says after it; any other as it is. */
    static String expanded(String prompt, UnaskedReads reads) {
        Matcher called = CALLED.matcher(prompt.strip());
        if (!called.matches()) {
            return prompt;
        }
        Skill skill = in(reads).get(called.group(1));
        return skill == null
                ? prompt
                : prompt + "\n\n<skill name=\"" + called.group(1) + "\" from=\"" + skill.path() + "\">\n" + skill.text()
                        + "\n</skill>";
    }

    private static SortedMap<String, Skill> in(UnaskedReads reads) {
        SortedMap<String, Skill> found = new TreeMap<>();
        for (String folder : FOLDERS) {
            for (Path each : folders(reads.workspace(), folder)) {
                skill(reads, each).ifPresent(skill -> found.putIfAbsent(name(each, skill.text()), skill));
            }
        }
        return found;
    }

    private static List<Path> folders(Workspace workspace, String folder) {
        try (Stream<Path> entries = Files.list(workspace.toRead(folder))) {
            return entries.limit(MOST_FOLDERS).sorted().toList();
        } catch (IOException | PathRefusedException e) {
            return List.of();
        }
    }

    private static Optional<Skill> skill(UnaskedReads reads, Path folder) {
        Workspace workspace = reads.workspace();
        Path file = folder.resolve(FILE);
        try {
            Path place = workspace.toRead(file.toString());
            // A link may give it this name to have it told unasked.
            return reads.against(place).isPresent() ? Optional.empty() : skill(workspace, file, place);
        } catch (IOException | PathRefusedException e) {
            return Optional.empty();
        }
    }

    private static Optional<Skill> skill(Workspace workspace, Path file, Path place) throws IOException {
        try (SeekableByteChannel channel = SafeFiles.open(workspace, place)) {
            ByteBuffer read = ByteBuffer.allocate(MOST_OF_A_FILE);
            while (read.hasRemaining() && channel.read(read) >= 0) {}
            String text = MARKS.defused(new String(read.array(), 0, read.position(), StandardCharsets.UTF_8))
                    .strip();
            String path = workspace.show(file).replaceAll("[\\p{Cntrl}\"<>]", "?");
            return text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Skill(
                            path,
                            // Again: between its parts there may have been what a line cannot hold.
                            MARKS.defused(oneLine(field(text, "description").orElse("no description"))),
                            read.hasRemaining() ? text : text + "\n… cut: read_file reads the rest"));
        }
    }

    private static String name(Path folder, String text) {
        return field(text, "name")
                .filter(name -> NAME.matcher(name).matches())
                .orElseGet(() -> String.valueOf(folder.getFileName()).replaceAll("[^\\p{Alnum}._-]", "-"));
    }

    private static String oneLine(String text) {
        String line = text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        return line.length() <= MOST_OF_A_DESCRIPTION ? line : line.substring(0, MOST_OF_A_DESCRIPTION) + "…";
    }

    /** Of the head between two lines of dashes, with the lines that are set in below it. */
    private static Optional<String> field(String text, String key) {
        Matcher head = HEAD.matcher(text);
        if (!head.find()) {
            return Optional.empty();
        }
        StringBuilder value = new StringBuilder();
        boolean inside = false;
        for (String line : head.group(1).lines().toList()) {
            if (line.startsWith(key + ":")) {
                inside = true;
                // Signs of YAML for text over several lines.
                value.append(line.substring(key.length() + 1).strip().replaceAll("^[|>][+-]?$", ""));
            } else if (inside && (line.startsWith(" ") || line.startsWith("\t"))) {
                value.append(' ').append(line.strip());
            } else {
                inside = false;
            }
        }
        String said = value.toString().strip().replaceAll("^(['\"])(.*)\\1$", "$2");
        return said.isEmpty() ? Optional.empty() : Optional.of(said);
    }
}
