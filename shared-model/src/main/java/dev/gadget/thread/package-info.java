/** What both programs need around virtual threads. */
@NullMarked
package dev.gadget.thread;

import org.jspecify.annotations.NullMarked;
