package dev.gadget.drone.cli;

import dev.gadget.drone.mcp.Fingerprint;
import dev.gadget.drone.mcp.Placeholders;
import dev.gadget.drone.mcp.ServerConfig;
import dev.gadget.drone.mcp.Shown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What an owner should see of a server before trusting it; values that may be secrets are not shown. */
final class McpDescription {
    private static final int MAX_WORD = 500;

    private McpDescription() {}

    static List<String> of(ServerConfig server, Path workspace) {
        List<String> lines = new ArrayList<>();
        switch (server) {
            case ServerConfig.Stdio stdio -> addProgram(stdio, workspace, lines);
            case ServerConfig.Http http -> addAddress(http, lines);
        }
        if (!server.common().readOnlyTools().isEmpty()) {
            lines.add(
                    "only read, so are never asked for: " + list(server.common().readOnlyTools()));
        }
        if (!server.common().ignored().isEmpty()) {
            lines.add("means nothing here: " + list(server.common().ignored()));
        }
        return lines;
    }

    private static void addProgram(ServerConfig.Stdio server, Path workspace, List<String> lines) {
        lines.add("runs with your rights, outside the sandbox: " + word(server.command())
                + server.args().stream().map(arg -> " " + word(arg)).collect(Collectors.joining()));
        Path directory = server.directory(workspace);
        lines.add("in " + directory
                + (directory.startsWith(workspace)
                        ? ", where the agent writes: npx, python and the like take code from there"
                        : ""));
        if (!server.env().isEmpty()) {
            lines.add("sets " + list(server.env().keySet()) + fromOwn(server.env()));
        }
        addFiles(server, workspace, directory, lines);
    }

    private static void addFiles(ServerConfig.Stdio server, Path workspace, Path directory, List<String> lines) {
        try {
            List<Path> files = Fingerprint.workspaceFiles(server, workspace);
            if (!files.isEmpty()) {
                lines.add("its content is trusted with it, so a change of it needs trust again: "
                        + files.stream().map(Path::toString).collect(Collectors.joining(", ")));
            }
        } catch (IOException e) {
            lines.add("a file that it names cannot be read: " + e.getMessage());
        }
        for (String arg : server.args()) {
            if (!directory.startsWith(workspace) && !arg.startsWith("-") && isFileBelow(workspace, arg)) {
                lines.add("note: " + word(arg) + " is a file of the workspace, but the server does not run there."
                        + " Give its full path, or set \"cwd\": \".\"");
            }
        }
    }

    private static boolean isFileBelow(Path workspace, String arg) {
        try {
            return !Path.of(arg).isAbsolute() && Files.isRegularFile(workspace.resolve(arg));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static void addAddress(ServerConfig.Http server, List<String> lines) {
        lines.add("is spoken to at " + Shown.text(server.url().toString(), MAX_WORD)
                + (insecure(server) ? ", which is not encrypted" : ""));
        if (!server.headers().isEmpty()) {
            lines.add("sends the headers " + list(server.headers().keySet()) + fromOwn(server.headers()));
        }
    }

    private static boolean insecure(ServerConfig.Http server) {
        return new ServerAddress(server.url()).insecure();
    }

    private static String fromOwn(Map<String, String> texts) {
        var names = Placeholders.in(texts);
        return names.isEmpty() ? "" : ", with " + list(names) + " of the drone's environment";
    }

    private static String list(Collection<String> names) {
        return names.stream().map(name -> Shown.text(name, 64)).collect(Collectors.joining(", "));
    }

    private static String word(String text) {
        String shown = Shown.text(text, MAX_WORD);
        return shown.isEmpty() || shown.indexOf(' ') >= 0 ? "'" + shown + "'" : shown;
    }
}
