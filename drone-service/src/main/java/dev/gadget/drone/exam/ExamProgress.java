package dev.gadget.drone.exam;

/**
 * Where an exam stands.
 *
 * @param done how many of its probes are over
 * @param of how many there are
 * @param text what was found last, or is tried now
 */
public record ExamProgress(int done, int of, String text) {}
