/** The words that the code service, the drones and the page exchange. */
@NullMarked
package dev.gadget.model;

import org.jspecify.annotations.NullMarked;
