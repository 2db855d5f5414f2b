/** The messages between the code service and a drone. */
@NullMarked
package dev.gadget.model.drone;

import org.jspecify.annotations.NullMarked;
