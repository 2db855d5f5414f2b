/** What is said between a page and a terminal on a drone's machine. */
@NullMarked
package dev.gadget.model.terminal;

import org.jspecify.annotations.NullMarked;
