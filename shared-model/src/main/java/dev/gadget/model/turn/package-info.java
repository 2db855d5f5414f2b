/** A turn is a document that only grows: its blocks, its changes and the cursor of a reader. */
@NullMarked
package dev.gadget.model.turn;

import org.jspecify.annotations.NullMarked;
