/** What the files of a workspace were before and after a turn, so that a person can see it and undo it. */
@NullMarked
package dev.gadget.drone.checkpoint;

import org.jspecify.annotations.NullMarked;
