package dev.gadget.scripted;

/** Tokens as a provider counts them; the thinking ones are part of the output. */
public record TokenUsage(long input, long output, long thinking) {}
