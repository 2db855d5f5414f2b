package dev.gadget.drone.mcp;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Finds the program of a server, and not in the workspace when the owner did not say it is there. */
final class ProgramPath {
    private ProgramPath() {}

    static Path find(String command, String path, Path directory, Path workspace) throws McpException {
        try {
            if (command.indexOf('/') >= 0) {
                Path program = directory.resolve(command).normalize();
                if (isProgram(program)) {
                    return program;
                }
                throw missing("the program " + program + " does not exist or cannot be run");
            }
            for (String entry : path.split(File.pathSeparator)) {
                Path place = Path.of(entry);
                if (place.isAbsolute()
                        && !place.normalize().startsWith(workspace)
                        && isProgram(place.resolve(command))) {
                    return place.resolve(command);
                }
            }
        } catch (InvalidPathException e) {
            throw missing("its `command` or the PATH is not a path: " + e.getReason());
        }
        throw missing("the program " + Shown.text(command, 100) + " is not found along the PATH;"
                + " install it, or give its full path as `command`");
    }

    private static boolean isProgram(Path path) {
        return Files.isRegularFile(path) && Files.isExecutable(path);
    }

    private static McpException missing(String what) {
        return new McpException(McpException.Kind.UNUSABLE, what);
    }
}
