/** Who did what, and when. */
@NullMarked
package dev.gadget.code.audit;

import org.jspecify.annotations.NullMarked;
