package dev.gadget.drone.policy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A file, or the files in a directory: what is compared, and can be put back. Nothing is read through a link. What is too large, or
 * is no file, counts as itself only as long as nothing about it is another.
 */
final class FileContents {
    private static final int MOST_FILES = 300;
    private static final int MOST_BYTES = 1 << 20;
    private static final int DEEPEST = 6;

    /** Git runs none that is called like that. */
    private static final String SAMPLE = ".sample";

    /** What a file says; of what cannot be read, words that are compared only. */
    private record Content(byte[] bytes, boolean executable, boolean readable) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Content that
                    && Arrays.equals(bytes, that.bytes)
                    && executable == that.executable
                    && readable == that.readable;
        }

        @Override
        public int hashCode() {
            return Objects.hash(Arrays.hashCode(bytes), executable, readable);
        }
    }

    private final Map<Path, Content> files = new TreeMap<>();
    private int bytes;

    private FileContents() {}

    /** Of what is at a path, which need not exist. */
    static FileContents of(Workspace workspace, Path path) {
        FileContents contents = new FileContents();
        contents.add(workspace, path, 0);
        return contents;
    }

    private void add(Workspace workspace, Path path, int depth) {
        if (files.size() > MOST_FILES || path.toString().endsWith(SAMPLE)) {
            return;
        }
        try {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                if (depth < DEEPEST) {
                    for (SafeEntries.Entry entry : SafeEntries.list(workspace, path, MOST_FILES)) {
                        add(workspace, path.resolve(entry.name()), depth + 1);
                    }
                }
            } else if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                byte[] read = SafeFiles.read(workspace, path, MOST_BYTES - bytes);
                bytes += read.length;
                files.put(path, new Content(read, Files.isExecutable(path), true));
            }
        } catch (IOException | PathRefusedException e) {
            files.put(path, new Content(stamp(path), false, false));
        }
    }

    private static byte[] stamp(Path path) {
        try {
            return Files.readAttributes(path, "unix:ino,size,ctime,mode", LinkOption.NOFOLLOW_LINKS)
                    .toString()
                    .getBytes(StandardCharsets.UTF_8);
        } catch (IOException | UnsupportedOperationException e) {
            return new byte[0];
        }
    }

    /** Whether all of it, and something, was written like this. */
    boolean isOf(Path path, Map<Path, byte[]> written) {
        return files.entrySet().stream()
                        .allMatch(file -> file.getValue().readable()
                                && Arrays.equals(file.getValue().bytes(), written.get(file.getKey())))
                && written.keySet().stream().anyMatch(file -> file.startsWith(path));
    }

    /** The same with what was written meanwhile. */
    FileContents with(Path path, Map<Path, byte[]> written) {
        FileContents contents = new FileContents();
        contents.files.putAll(files);
        written.forEach((file, content) -> {
            if (file.startsWith(path)) {
                Content old = files.get(file);
                contents.files.put(file, new Content(content, old != null && old.executable(), true));
            }
        });
        return contents;
    }

    /** Puts it where nothing is, as far as it could be read. */
    void write(Workspace workspace, Path path) throws IOException {
        for (Map.Entry<Path, Content> file : files.entrySet()) {
            if (file.getValue().readable() && file.getKey().startsWith(path)) {
                SafeFiles.write(
                        workspace,
                        file.getKey(),
                        file.getValue().bytes(),
                        file.getValue().executable());
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FileContents that && files.equals(that.files);
    }

    @Override
    public int hashCode() {
        return files.hashCode();
    }
}
