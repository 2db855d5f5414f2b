package dev.gadget.drone.tool;

import dev.gadget.drone.policy.PathGlob;

/** Path patterns as models write them. */
final class Glob {
    private static final int MAX_LENGTH = 500;

    private Glob() {}

    /** Matches paths relative to where the search starts; a pattern without a slash matches a name in any directory. */
    static PathGlob compile(String glob) {
        if (glob.length() > MAX_LENGTH) {
            throw new ToolFailedException("The glob pattern is longer than " + MAX_LENGTH + " characters.");
        }
        String pattern = glob.startsWith("./") ? glob.substring(2) : glob;
        try {
            return PathGlob.of(
                    !pattern.contains("/")
                            ? "**/" + pattern
                            : pattern.startsWith("/") ? pattern.substring(1) : pattern);
        } catch (IllegalArgumentException e) {
            throw new ToolFailedException("`" + glob + "` is not a glob pattern: " + e.getMessage()
                    + ". Examples: **/*.java, src/**/*.{ts,tsx}, README*");
        }
    }
}
