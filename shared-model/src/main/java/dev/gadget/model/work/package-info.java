/** What a drone is asked to do, and what it reports of it. */
@NullMarked
package dev.gadget.model.work;

import org.jspecify.annotations.NullMarked;
