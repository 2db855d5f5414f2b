package dev.gadget.model.file;

/** A file that differs from the last commit. */
public record ChangedFile(String path, GitStatus status) {}
