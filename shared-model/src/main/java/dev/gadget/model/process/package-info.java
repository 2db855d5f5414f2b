/** What an agent started and left running. */
@NullMarked
package dev.gadget.model.process;

import org.jspecify.annotations.NullMarked;
