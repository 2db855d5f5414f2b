/** Servers of the Model Context Protocol that the drone's owner trusts, and their tools. */
@NullMarked
package dev.gadget.drone.mcp;

import org.jspecify.annotations.NullMarked;
