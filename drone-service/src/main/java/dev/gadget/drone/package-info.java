/** The drone: works in a directory for the code service. */
@NullMarked
package dev.gadget.drone;

import org.jspecify.annotations.NullMarked;
