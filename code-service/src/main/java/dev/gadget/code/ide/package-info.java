/** The sockets of the pages. */
@NullMarked
package dev.gadget.code.ide;

import org.jspecify.annotations.NullMarked;
