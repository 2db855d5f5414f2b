package dev.gadget.drone.provider.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A response as a stream that tells of a broken connection after everything that came before. The client's own stream tells it at
 * once, and throws away what it still holds.
 */
public final class KeptBody implements BodySubscriber<InputStream> {
    private final BodySubscriber<InputStream> body = BodySubscribers.ofInputStream();
    private volatile @Nullable Throwable broken;

    @Override
    public CompletionStage<InputStream> getBody() {
        return body.getBody().thenApply(Stream::new);
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        body.onSubscribe(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        body.onNext(buffers);
    }

    @Override
    public void onError(Throwable cause) {
        broken = cause;
        body.onComplete();
    }

    @Override
    public void onComplete() {
        body.onComplete();
    }

    /** What came, and then the failure. */
    private final class Stream extends FilterInputStream {
        private Stream(InputStream came) {
            super(came);
        }

        @Override
        public int read() throws IOException {
            return orBroken(super.read());
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return orBroken(super.read(bytes, offset, length));
        }

        private int orBroken(int read) throws IOException {
            Throwable cause = broken;
            if (read < 0 && cause != null) {
                throw new IOException("the connection broke", cause);
            }
            return read;
        }
    }
}
