/** Measures what a model can do at its endpoint: small tasks, asked over the very code that turns go over. */
@NullMarked
package dev.gadget.drone.exam;

import org.jspecify.annotations.NullMarked;
