/** What all HTTP endpoints share: errors as problem documents, lists, the page, headers. */
@NullMarked
package dev.gadget.code.http;

import org.jspecify.annotations.NullMarked;
