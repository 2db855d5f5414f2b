package dev.gadget.scripted;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Decides what the provider answers to each chat request. Called by several threads. */
@FunctionalInterface
public interface Script {
    Reply reply(ReceivedRequest request);

    /** The same answer to everything. */
    static Script always(Reply reply) {
        return request -> reply;
    }

    /** The n-th answer after n assistant messages since the last user message; the last one from there on. */
    static Script rounds(Reply... replies) {
        List<Reply> all = List.of(replies);
        return request -> all.get(Math.min(request.round(), all.size() - 1));
    }

    /** The n-th answer to the n-th request; the last one from there on. */
    static Script sequence(Reply... replies) {
        List<Reply> all = List.of(replies);
        AtomicInteger next = new AtomicInteger();
        return request -> all.get(Math.min(next.getAndIncrement(), all.size() - 1));
    }

    /** What the {@code [[marker]]} in the last user message names, else the demo. */
    static Script marked() {
        return new MarkedScript();
    }
}
