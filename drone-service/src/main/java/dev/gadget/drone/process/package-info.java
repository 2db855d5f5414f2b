/** Programs that the drone starts: how all of one is ended, and what of its output is text. */
@NullMarked
package dev.gadget.drone.process;

import org.jspecify.annotations.NullMarked;
