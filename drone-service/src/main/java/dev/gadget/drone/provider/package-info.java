/** Model endpoints behind one port; what the wire does wrong becomes a coded failure here. */
@NullMarked
package dev.gadget.drone.provider;

import org.jspecify.annotations.NullMarked;
