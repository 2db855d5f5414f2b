/** What both sockets need. */
@NullMarked
package dev.gadget.code.socket;

import org.jspecify.annotations.NullMarked;
