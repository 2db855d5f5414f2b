package dev.gadget.code.feed;

import dev.gadget.code.system.Door;
import dev.gadget.model.api.SystemApi.DoorKind;
import dev.gadget.model.api.SystemApi.DoorView;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the requests that wait for what a turn says next. */
@ApplicationScoped
class OpenPolls implements Door {
    private final AtomicInteger waiting = new AtomicInteger();

    /** One that is over when it is closed. */
    interface Poll extends AutoCloseable {
        @Override
        void close();
    }

    Poll begin() {
        waiting.incrementAndGet();
        return waiting::decrementAndGet;
    }

    @Override
    public DoorView inUse() {
        return new DoorView(DoorKind.POLLING, waiting.get());
    }
}
