/** The bodies of the HTTP API, as docs and page know them. */
@NullMarked
package dev.gadget.model.api;

import org.jspecify.annotations.NullMarked;
