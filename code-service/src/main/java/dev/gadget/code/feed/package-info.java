/** Readers of running turns: cursors, and the three doors that they come through. */
@NullMarked
package dev.gadget.code.feed;

import org.jspecify.annotations.NullMarked;
