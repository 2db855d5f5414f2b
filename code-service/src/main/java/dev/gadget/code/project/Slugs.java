package dev.gadget.code.project;

import dev.gadget.code.RefusedException;
import dev.gadget.model.FailureCode;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/** Short names of projects, for URLs and directories: lower-case letters and digits with single dashes between. */
final class Slugs {
    private static final int MAX = 64;
    private static final Pattern SHAPE = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    private Slugs() {}

    /** What is left of a name; {@code project} when nothing is. */
    static String from(String name) {
        String slug = cut(
                Normalizer.normalize(name, Normalizer.Form.NFKD)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("\\p{M}+", "")
                        .replaceAll("[^a-z0-9]+", "-"),
                MAX);
        return slug.isEmpty() ? "project" : slug;
    }

    /** The same with a number, still short enough. */
    static String numbered(String slug, int number) {
        String suffix = "-" + number;
        return cut(slug, MAX - suffix.length()) + suffix;
    }

    static String checked(String slug) {
        if (slug.length() > MAX || !SHAPE.matcher(slug).matches()) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "A slug has to be 1 to " + MAX + " lower-case letters and digits, with single dashes between.",
                    "slug");
        }
        return slug;
    }

    private static String cut(String slug, int max) {
        String head = slug.replaceAll("^-+", "");
        head = head.length() > max ? head.substring(0, max) : head;
        return head.replaceAll("-+$", "");
    }
}
