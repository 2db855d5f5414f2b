/** The OpenAI-compatible wire (chat completions). */
@NullMarked
package dev.gadget.drone.provider.openai;

import org.jspecify.annotations.NullMarked;
