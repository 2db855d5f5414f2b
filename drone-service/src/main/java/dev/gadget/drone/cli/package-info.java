/** The commands of gadget-drone. */
@NullMarked
package dev.gadget.drone.cli;

import org.jspecify.annotations.NullMarked;
