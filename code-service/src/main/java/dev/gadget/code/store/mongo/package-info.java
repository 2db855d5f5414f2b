/** The ports on MongoDB, by Panache; the embedded store speaks the same wire. */
@NullMarked
package dev.gadget.code.store.mongo;

import org.jspecify.annotations.NullMarked;
