/** Git, run so that a hostile repository gets nothing to run. */
@NullMarked
package dev.gadget.drone.git;

import org.jspecify.annotations.NullMarked;
