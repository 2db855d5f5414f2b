/** Drones: enrolment, their sockets, leases and the routing of work to them. */
@NullMarked
package dev.gadget.code.drone;

import org.jspecify.annotations.NullMarked;
