/** Projects: what a session works on. */
@NullMarked
package dev.gadget.code.project;

import org.jspecify.annotations.NullMarked;
