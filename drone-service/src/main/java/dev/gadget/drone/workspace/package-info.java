/** The directory that the drone works in: its identity, its lock, its recovery files. */
@NullMarked
package dev.gadget.drone.workspace;

import org.jspecify.annotations.NullMarked;
