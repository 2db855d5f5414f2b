/** Sessions: a conversation with its settings, and the lock that allows one running turn. */
@NullMarked
package dev.gadget.code.session;

import org.jspecify.annotations.NullMarked;
