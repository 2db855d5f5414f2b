/** What is made at every start when it is missing, so that the first prompt needs no further set-up. */
@NullMarked
package dev.gadget.code.setup;

import org.jspecify.annotations.NullMarked;
