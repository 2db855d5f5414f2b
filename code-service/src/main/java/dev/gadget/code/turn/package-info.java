/** Turns: the document that only grows, its transitions, and its life from prompt to end. */
@NullMarked
package dev.gadget.code.turn;

import org.jspecify.annotations.NullMarked;
