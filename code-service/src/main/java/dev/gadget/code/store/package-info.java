/** The ports through which everything is kept, and what their adapters share. */
@NullMarked
package dev.gadget.code.store;

import org.jspecify.annotations.NullMarked;
