package dev.gadget.drone.project;

import dev.gadget.drone.process.PlainText;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Makes plain lines of git's progress: every line that ends, and of one that is written over and over only what it says each second. */
final class ProgressText implements Consumer<String> {
    private static final long PACE = Duration.ofSeconds(1).toNanos();
    private static final int MAX = 64 * 1024;
    private static final int MAX_LINE = 500;

    private final Consumer<String> lines;
    private final LongSupplier nanos;
    private final StringBuilder line = new StringBuilder();
    private long shownAt;
    private int told;

    ProgressText(Consumer<String> lines, LongSupplier nanos) {
        this.lines = lines;
        this.nanos = nanos;
        shownAt = nanos.getAsLong() - PACE;
    }

    @Override
    public void accept(String piece) {
        for (int i = 0; i < piece.length(); i++) {
            char c = piece.charAt(i);
            if (c == '\n' || c == '\r') {
                if (c == '\n' || nanos.getAsLong() - shownAt >= PACE) {
                    tell();
                }
                line.setLength(0);
            } else if (line.length() < MAX_LINE) {
                line.append(c);
            }
        }
    }

    private void tell() {
        String text = RemoteGit.plain(new PlainText().plain(line)).strip();
        if (text.isEmpty() || told >= MAX) {
            return;
        }
        told += text.length() + 1;
        shownAt = nanos.getAsLong();
        lines.accept(text + "\n");
    }
}
