package dev.gadget.drone.tool;

import dev.gadget.drone.policy.SafeFiles;
import dev.gadget.drone.policy.Workspace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The text of a file that is written back with changes: what would not come back byte for byte is refused. */
final class EditableText {
    private static final int MAX_BYTES = 16 * 1024 * 1024;

    private EditableText() {}

    static String read(Workspace workspace, Path file) throws IOException {
        byte[] bytes = SafeFiles.read(workspace, file, MAX_BYTES);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ToolFailedException("`" + workspace.show(file)
                    + "` is not UTF-8 text, and an edit would damage it. Use run_command to change it.");
        }
    }
}
