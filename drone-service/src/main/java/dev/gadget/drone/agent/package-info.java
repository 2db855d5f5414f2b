/** The loop of model rounds and tools that works on one turn. */
@NullMarked
package dev.gadget.drone.agent;

import org.jspecify.annotations.NullMarked;
