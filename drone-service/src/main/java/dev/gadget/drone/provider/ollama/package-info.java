/** Ollama's own wire (/api/chat). */
@NullMarked
package dev.gadget.drone.provider.ollama;

import org.jspecify.annotations.NullMarked;
