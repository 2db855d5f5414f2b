/** A model provider that plays a script. */
@NullMarked
package dev.gadget.scripted;

import org.jspecify.annotations.NullMarked;
