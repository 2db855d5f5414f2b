/** The state of the service, for those who run it. */
@NullMarked
package dev.gadget.code.system;

import org.jspecify.annotations.NullMarked;
