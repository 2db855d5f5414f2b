package dev.gadget.scripted;

import java.util.List;

/** How one kind of provider words a response: JSON texts, and their frame. */
interface Wire {
    String streamType();

    /** The frame of one chunk. */
    String framed(String json);

    /** Bytes that mean nothing. */
    String keepAlive();

    /** Chunks before the first token. */
    List<String> opening();

    String thinking(String text);

    String text(String text);

    List<String> tools(Step.Tools tools);

    /** What the end looks like, frames included. */
    String end(Said said, Step.End end);

    /** The whole response of a request that does not stream. */
    String whole(Said said, Step.End end);

    /** The body of an error. */
    String error(int status, String type, String message);
}
