package dev.gadget.scripted;

/** How a server tells tool calls. */
public enum ToolShape {
    /** Id and name first, then the arguments piece by piece (whole ones where the wire knows no pieces). */
    FRAGMENTS,
    /** Each call whole, in one chunk of its own. */
    WHOLE,
    /** All calls whole, in one chunk. */
    TOGETHER,
    /** Pieces of several calls in turns, told apart by index. */
    INTERLEAVED,
    /** Whole calls that carry no index. */
    NO_INDEX,
    /** Whole calls that carry no id. */
    NO_ID,
    /** In the last chunk, beside the finish. */
    WITH_THE_END
}
