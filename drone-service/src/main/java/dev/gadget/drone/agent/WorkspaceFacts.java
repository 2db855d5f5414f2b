package dev.gadget.drone.agent;

import dev.gadget.drone.policy.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;

/** What a model should know of the place it works in. */
final class WorkspaceFacts {
    private static final int MAX_NAMES = 60;

    private WorkspaceFacts() {}

    /** What stays as it is while the session lasts. */
    static String of(Workspace workspace) {
        return """
                - Working directory: %s%s
                - System: %s, %s""".formatted(
                workspace.base(), whole(workspace), System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    /** What is told with a prompt, because the next one finds it changed; between marks that nothing in it can close. */
    static String now(Workspace workspace, Instant now) throws IOException {
        return "\n\n<workspace_now>\n"
                + """
                - Date: %s
                - Git: %s
                - At the top: %s""".formatted(
                                LocalDate.ofInstant(now, ZoneId.systemDefault()),
                                GitState.of(workspace),
                                listing(workspace.base()))
                        .replaceAll("[<>]", "?")
                + "\n</workspace_now>";
    }

    /** What else there is, where the work is in a part of it. */
    private static String whole(Workspace workspace) {
        return workspace.base().equals(workspace.root())
                ? ""
                : ", which holds the project of this session; the workspace around it is " + workspace.root();
    }

    private static String listing(Path root) throws IOException {
        try (Stream<Path> entries = Files.list(root)) {
            List<String> names = entries.limit(5000)
                    .map(path -> path.getFileName() + (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) ? "/" : ""))
                    .filter(name -> !name.equals(".gadget/") && !name.equals(".git/"))
                    // A name with a line break in it could pass for an instruction.
                    .map(name -> name.replaceAll("\\p{Cntrl}", "?"))
                    .sorted()
                    .toList();
            if (names.isEmpty()) {
                return "nothing yet, the workspace is empty";
            }
            String shown = String.join(", ", names.subList(0, Math.min(MAX_NAMES, names.size())));
            return names.size() > MAX_NAMES ? shown + " and " + (names.size() - MAX_NAMES) + " more" : shown;
        }
    }
}
