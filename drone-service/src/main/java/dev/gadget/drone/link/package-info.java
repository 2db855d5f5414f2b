/** The connection to the code service: socket, journal, outbox, lease. */
@NullMarked
package dev.gadget.drone.link;

import org.jspecify.annotations.NullMarked;
