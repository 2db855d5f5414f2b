package dev.gadget.drone.file;

import dev.gadget.drone.policy.SafeFiles;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.model.Protocol;
import dev.gadget.model.Sha256;
import dev.gadget.model.file.ContentKind;
import dev.gadget.model.file.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file as it was at one moment, and its text when it has one. */
record Content(FileVersion version, String text) {
    /** What is in a regular file that {@link Workspace#toRead} gave. */
    static Content read(Workspace workspace, Path file) throws IOException {
        String path = workspace.show(file);
        byte[] bytes;
        long size;
        try (SeekableByteChannel channel = SafeFiles.open(workspace, file)) {
            bytes = Channels.newInputStream(channel).readNBytes(Protocol.MAX_TEXT_BYTES + 1);
            size = Math.max(channel.size(), bytes.length);
        }
        if (bytes.length > Protocol.MAX_TEXT_BYTES) {
            return new Content(new FileVersion(path, ContentKind.TOO_LARGE, size, null), "");
        }
        return of(path, bytes);
    }

    static Content of(String path, byte[] bytes) {
        String text = text(bytes);
        ContentKind kind = text == null ? ContentKind.BINARY : ContentKind.TEXT;
        return new Content(new FileVersion(path, kind, bytes.length, Sha256.of(bytes)), text == null ? "" : text);
    }

    /** Only what comes out again byte by byte is a text: it may be saved unchanged. */
    private static @Nullable String text(byte[] bytes) {
        for (byte one : bytes) {
            if (one == 0) {
                return null;
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
