/** Pages of the web, fetched so that nothing inside the machine's own network is reached. */
@NullMarked
package dev.gadget.drone.web;

import org.jspecify.annotations.NullMarked;
