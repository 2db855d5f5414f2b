/** What both programs need to be small where they rest. */
@NullMarked
package dev.gadget.memory;

import org.jspecify.annotations.NullMarked;
