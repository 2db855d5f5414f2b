package dev.gadget.drone.tool;

import dev.gadget.drone.policy.SafeFiles;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads lines of a text file, however large it is. */
@ApplicationScoped
public class ReadFileTool implements Tool {
    private static final int LINES = 2000;
    private static final int MAX_CHARS = 50_000;
    private static final int MAX_LINE = 2000;
    private static final int SNIFFED = 8192;

    private static final ToolSpec SPEC = new ToolSpec(
            "read_file",
            "Reads a text file. Gives the text as it is, up to " + LINES + " lines; for more, go on with offset.",
            Schema.object()
                    .text("path", "The file, relative to the workspace.")
                    .optionalNumber("offset", "The first line to read, from 1.", 1, Integer.MAX_VALUE)
                    .optionalNumber("limit", "How many lines to read.", 1, 10_000)
                    .build());

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolEffect effect() {
        return ToolEffect.READS;
    }

    @Override
    public Map<String, Object> example() {
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("path", "src/main/App.java");
        example.put("offset", 1);
        example.put("limit", 200);
        return example;
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of("file_path", "path", "filename", "path", "file", "path", "start_line", "offset");
    }

    @Override
    public List<String> touches(Map<String, Object> parameters) {
        return Tool.path(parameters);
    }

    @Override
    public List<Path> reads(Workspace workspace, Map<String, Object> parameters) {
        return Tool.path(parameters).stream().map(workspace::toRead).toList();
    }

    @Override
    public ToolResult run(ToolInvocation call) throws IOException {
        String asked = call.text("path");
        Workspace workspace = call.workspace();
        Path file = workspace.toRead(asked);
        try (SeekableByteChannel channel = SafeFiles.open(workspace, file)) {
            BufferedInputStream bytes = new BufferedInputStream(Channels.newInputStream(channel), 64 * 1024);
            bytes.mark(SNIFFED);
            byte[] start = bytes.readNBytes(SNIFFED);
            bytes.reset();
            refuseBinary(asked, start, channel.size());
            Reader reader = new InputStreamReader(
                    bytes,
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .onMalformedInput(CodingErrorAction.REPLACE)
                            .onUnmappableCharacter(CodingErrorAction.REPLACE));
            int offset = call.number("offset", 1);
            Window window = new Window(offset, call.number("limit", LINES));
            window.read(reader, call);
            return window.result(asked);
        } catch (NoSuchFileException e) {
            return ToolResult.failed(NearMisses.missing(workspace, asked));
        }
    }

    private static void refuseBinary(String asked, byte[] start, long size) {
        String name = asked.toLowerCase(Locale.ROOT);
        boolean image = name.matches(".*\\.(png|jpe?g|gif|webp|bmp|ico|tiff?|heic|avif)");
        boolean binary = image;
        for (byte b : start) {
            binary |= b == 0;
        }
        if (binary) {
            throw new ToolFailedException("`" + asked + "` is " + (image ? "an image" : "a binary file") + " of " + size
                    + " bytes; this tool reads text only."
                    + (image ? "" : " Use run_command, for example with `file` or `xxd`, to look at it."));
        }
    }

    /** Some lines of a text that may be far longer. */
    private static final class Window {
        private final int offset;
        private final int limit;
        private final StringBuilder text = new StringBuilder();
        private int line = 1;
        private int column;
        private int nextLine;
        private boolean any;

        Window(int offset, int limit) {
            this.offset = offset;
            this.limit = limit;
        }

        void read(Reader reader, ToolInvocation call) throws IOException {
            char[] chars = new char[32 * 1024];
            for (int count = reader.read(chars); count >= 0; count = reader.read(chars)) {
                for (int i = 0; i < count; i++) {
                    take(chars[i]);
                }
                if (call.cancel().cancelled()) {
                    throw new ToolFailedException("Stopped.");
                }
            }
        }

        private void take(char c) {
            any = true;
            boolean wanted = line >= offset && line - offset < limit && nextLine == 0;
            if (wanted && text.length() >= MAX_CHARS && column == 0) {
                nextLine = line;
                wanted = false;
            }
            if (c == '\n') {
                if (wanted) {
                    text.append('\n');
                }
                line++;
                column = 0;
                return;
            }
            if (wanted && c != '\r') {
                if (column < MAX_LINE) {
                    text.append(c);
                } else if (column == MAX_LINE) {
                    text.append(" … [the line is longer]");
                }
            }
            column++;
        }

        ToolResult result(String asked) {
            int lines = column == 0 ? line - 1 : line;
            if (!any) {
                return ToolResult.done("[`" + asked + "` is empty]");
            }
            if (offset > lines) {
                return ToolResult.failed("`" + asked + "` has " + lines + " lines, so there is nothing from line "
                        + offset + " on. Use a smaller offset.");
            }
            int last = nextLine > 0 ? nextLine - 1 : (int) Math.min(lines, (long) offset + limit - 1);
            if (offset == 1 && last == lines) {
                return ToolResult.done(text.toString());
            }
            return ToolResult.done(text + (text.toString().endsWith("\n") ? "" : "\n") + "[lines " + offset + "-" + last
                    + " of " + lines + (last < lines ? "; go on with offset=" + (last + 1) : "") + "]");
        }
    }
}
