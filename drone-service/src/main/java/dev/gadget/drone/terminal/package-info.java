/** Terminals for the person who owns the drone: shells on pseudo-terminals, with the owner's rights. */
@NullMarked
package dev.gadget.drone.terminal;

import org.jspecify.annotations.NullMarked;
