package dev.gadget.drone.tool;

import dev.gadget.drone.policy.SafeFiles;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Writes a whole file. */
@ApplicationScoped
public class WriteFileTool implements Tool {
    private static final int MAX_BYTES = 16 * 1024 * 1024;

    private static final ToolSpec SPEC = new ToolSpec(
            "write_file",
            "Writes a file: creates it, with its directories, or replaces all that is in it."
                    + " To change a part of a file, use edit_file.",
            Schema.object()
                    .text("path", "The file, relative to the workspace.")
                    .text("content", "The whole new content of the file.")
                    .build());

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolEffect effect() {
        return ToolEffect.WRITES;
    }

    @Override
    public Map<String, Object> example() {
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("path", "docs/notes.md");
        example.put("content", "# Notes\n");
        return example;
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of(
                "file_path", "path", "filename", "path", "file", "path", "text", "content", "contents", "content");
    }

    @Override
    public List<String> changes(Map<String, Object> parameters) {
        return Stream.ofNullable(parameters.get("path")).map(Object::toString).toList();
    }

    @Override
    public ToolResult run(ToolInvocation call) throws IOException {
        Path file = call.workspace().toWrite(call.text("path"));
        byte[] content = content(call);
        boolean replaced = SafeFiles.write(call.workspace(), file, content);
        return ToolResult.done((replaced ? "Replaced `" : "Created `")
                + call.workspace().show(file) + "`: " + size(call.text("content"), content) + ".");
    }

    @Override
    public Optional<ToolResult> alreadyDone(ToolInvocation call) throws IOException {
        Path file = call.workspace().toWrite(call.text("path"));
        byte[] content = content(call);
        try {
            return Arrays.equals(SafeFiles.read(call.workspace(), file, MAX_BYTES), content)
                    ? Optional.of(ToolResult.done("Written `" + call.workspace().show(file) + "`: "
                            + size(call.text("content"), content) + "."))
                    : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<String> preview(ToolInvocation call) throws IOException {
        Path file = call.workspace().toWrite(call.text("path"));
        String before;
        try {
            before = new String(SafeFiles.read(call.workspace(), file, MAX_BYTES), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            before = "";
        }
        return Optional.of(Diff.of(call.workspace().show(file), before, call.text("content")));
    }

    private static byte[] content(ToolInvocation call) {
        byte[] content = call.text("content").getBytes(StandardCharsets.UTF_8);
        if (content.length > MAX_BYTES) {
            throw new ToolFailedException("The content is " + content.length + " bytes, and at most " + MAX_BYTES
                    + " are written by one call. Use run_command to produce large files.");
        }
        return content;
    }

    private static String size(String text, byte[] bytes) {
        long lines = text.lines().count();
        return lines + (lines == 1 ? " line, " : " lines, ") + bytes.length + " bytes";
    }
}
