/** The messages between the code service and a page. */
@NullMarked
package dev.gadget.model.ide;

import org.jspecify.annotations.NullMarked;
