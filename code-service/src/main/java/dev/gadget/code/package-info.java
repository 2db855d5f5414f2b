/** The code service: accounts, providers, projects, sessions, turns, the feeds, and the other end of the drones. */
@NullMarked
package dev.gadget.code;

import org.jspecify.annotations.NullMarked;
