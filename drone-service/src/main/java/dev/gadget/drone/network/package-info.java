/** The network of a command in the sandbox: a proxy of the drone that lets allowed hosts through, and the way to it from inside. */
@NullMarked
package dev.gadget.drone.network;

import org.jspecify.annotations.NullMarked;
