package dev.gadget.drone.tool;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Path patterns as people know them from git and editors: {@code *}, {@code ?}, {@code **}, {@code [ab]}, {@code {a,b}}. */
final class Glob {
    private static final int MAX_LENGTH = 500;

    private Glob() {}

    /** Matches paths relative to where the search starts; a pattern without a slash matches a name in any directory. */
    static Pattern compile(String glob) {
        if (glob.length() > MAX_LENGTH) {
            throw new ToolFailedException("The glob pattern is longer than " + MAX_LENGTH + " characters.");
        }
        String pattern = glob.startsWith("./") ? glob.substring(2) : glob;
        String anywhere = pattern.contains("/") ? "" : "(?:.*/)?";
        try {
            return Pattern.compile(anywhere + regex(pattern.startsWith("/") ? pattern.substring(1) : pattern));
        } catch (PatternSyntaxException e) {
            throw new ToolFailedException("`" + glob + "` is not a glob pattern: " + e.getDescription()
                    + ". Examples: **/*.java, src/**/*.{ts,tsx}, README*");
        }
    }

    /** The regular expression of a pattern without a rule for where it starts. */
    static String regex(String glob) {
        StringBuilder regex = new StringBuilder();
        int braces = 0;
        for (int i = 0; i < glob.length(); i++) {
            char c = glob.charAt(i);
            switch (c) {
                case '*' -> {
                    int stars = i;
                    while (stars < glob.length() && glob.charAt(stars) == '*') {
                        stars++;
                    }
                    if (stars - i == 1) {
                        regex.append("[^/]*");
                    } else if (stars < glob.length() && glob.charAt(stars) == '/') {
                        stars = skipRepeats(glob, stars + 1);
                        regex.append("(?:.*/)?");
                    } else {
                        regex.append(".*");
                    }
                    i = stars - 1;
                }
                case '?' -> regex.append("[^/]");
                case '[' -> {
                    int end = glob.indexOf(']', i + 2);
                    if (end < 0) {
                        regex.append("\\[");
                    } else {
                        regex.append(characters(glob.substring(i + 1, end)));
                        i = end;
                    }
                }
                case '{' -> {
                    braces++;
                    regex.append("(?:");
                }
                case '}' -> {
                    regex.append(braces > 0 ? ")" : "\\}");
                    braces = Math.max(0, braces - 1);
                }
                case ',' -> regex.append(braces > 0 ? "|" : ",");
                case '\\' -> {
                    if (i + 1 < glob.length()) {
                        i++;
                        regex.append(Pattern.quote(String.valueOf(glob.charAt(i))));
                    }
                }
                default ->
                    regex.append(Character.isLetterOrDigit(c) || c == '/' ? c : Pattern.quote(String.valueOf(c)));
            }
        }
        return regex.append(")".repeat(braces)).toString();
    }

    /** Several {@code **}{@code /} in a row mean one, and would take time beyond measure to match. */
    private static int skipRepeats(String glob, int at) {
        int next = at;
        while (glob.startsWith("**/", next)) {
            next += 3;
        }
        return next;
    }

    private static String characters(String set) {
        boolean negated = set.startsWith("!") || set.startsWith("^");
        String inner = (negated ? set.substring(1) : set)
                .replace("\\", "\\\\")
                .replace("[", "\\[")
                .replace("&&", "&\\&");
        return "[" + (negated ? "^/" : "") + inner + "]";
    }
}
