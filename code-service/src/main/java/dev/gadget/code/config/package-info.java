/** Every setting of the code service. */
@NullMarked
package dev.gadget.code.config;

import org.jspecify.annotations.NullMarked;
