/** Every setting of the drone. */
@NullMarked
package dev.gadget.drone.config;

import org.jspecify.annotations.NullMarked;
