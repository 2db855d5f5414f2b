/** A MongoDB-compatible store in this process, with a journal that makes its answers durable. */
@NullMarked
package dev.gadget.code.store.embedded;

import org.jspecify.annotations.NullMarked;
