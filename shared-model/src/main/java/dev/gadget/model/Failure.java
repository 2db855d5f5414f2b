package dev.gadget.model;

/**
 * What went wrong, in a form that programs and people both read.
 *
 * @param code the stable name
 * @param message one or two sentences: what was found, what was expected, what to do
 */
public record Failure(FailureCode code, String message) {}
