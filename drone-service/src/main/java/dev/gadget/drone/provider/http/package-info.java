/** The HTTP that model endpoints share: one call, its lines, its limits, its failures. */
@NullMarked
package dev.gadget.drone.provider.http;

import org.jspecify.annotations.NullMarked;
