/** Who may sign in, with what, and who a request is from. */
@NullMarked
package dev.gadget.code.account;

import org.jspecify.annotations.NullMarked;
