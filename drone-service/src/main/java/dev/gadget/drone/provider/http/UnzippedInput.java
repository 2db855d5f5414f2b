package dev.gadget.drone.provider.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A response that came zipped though nobody asked for that; opened when it is first read, because opening reads. */
final class UnzippedInput extends InputStream {
    private final InputStream zipped;
    private @Nullable InputStream plain;

    UnzippedInput(InputStream zipped) {
        this.zipped = zipped;
    }

    @Override
    public int read() throws IOException {
        return plain().read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        return plain().read(bytes, offset, length);
    }

    /** Closes what is below, also while another thread reads. */
    @Override
    public void close() throws IOException {
        zipped.close();
    }

    private InputStream plain() throws IOException {
        InputStream known = plain;
        if (known == null) {
            known = new GZIPInputStream(zipped);
            plain = known;
        }
        return known;
    }
}
