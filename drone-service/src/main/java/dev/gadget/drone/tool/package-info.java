/** Tools that a model may call, one class a tool. */
@NullMarked
package dev.gadget.drone.tool;

import org.jspecify.annotations.NullMarked;
