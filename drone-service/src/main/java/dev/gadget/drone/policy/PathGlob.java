package dev.gadget.drone.policy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of paths as people know them from git and editors: {@code *}, {@code ?}, {@code **}, {@code [ab]}, {@code {a,b}}. Patterns
 * come from repositories and models, so it is followed in all places at once and never goes back: a match takes at most as many steps
 * as both lengths multiplied.
 */
public final class PathGlob {
    private static final String SPECIAL = "*?[]{},\\";

    /** A place in the pattern. */
    private static final class Place {
        private final int number;
        /** What is taken to go on from here; nothing is where it is null. */
        private final @Nullable IntPredicate takes;

        private final List<Place> next = new ArrayList<>(1);

        Place(int number, @Nullable IntPredicate takes) {
            this.number = number;
            this.takes = takes;
        }
    }

    private final String text;
    private final boolean plain;
    private final Place start;
    private final Place end;
    private final int places;

    private PathGlob(String text, Place start, Place end, int places) {
        this.text = text;
        plain = text.chars().noneMatch(c -> SPECIAL.indexOf(c) >= 0);
        this.start = start;
        this.end = end;
        this.places = places;
    }

    /** {@code IllegalArgumentException} says why it is none. */
    public static PathGlob of(String glob) {
        return new Reader(glob).read();
    }

    /** Whether it is this whole path, with forward slashes. */
    public boolean matches(String path) {
        if (plain) {
            return text.equals(path);
        }
        Front front = new Front(places);
        Front ahead = new Front(places);
        front.enter(start);
        for (int i = 0; i < path.length() && front.count > 0; ) {
            int c = path.codePointAt(i);
            i += Character.charCount(c);
            for (int each = 0; each < front.count; each++) {
                Place at = front.taking[each];
                if (at.takes != null && at.takes.test(c)) {
                    at.next.forEach(ahead::enter);
                }
            }
            Front passed = front;
            front = ahead;
            ahead = passed;
            ahead.clear();
        }
        return front.entered[end.number];
    }

    /** All places that the path so far may have led to. */
    private static final class Front {
        private final boolean[] entered;
        private final Place[] taking;
        private final Deque<Place> open = new ArrayDeque<>();
        private int count;

        Front(int places) {
            entered = new boolean[places];
            taking = new Place[places];
        }

        void enter(Place place) {
            open.push(place);
            while (!open.isEmpty()) {
                Place next = open.pop();
                if (entered[next.number]) {
                    continue;
                }
                entered[next.number] = true;
                if (next.takes == null) {
                    next.next.forEach(open::push);
                } else {
                    taking[count++] = next;
                }
            }
        }

        void clear() {
            Arrays.fill(entered, false);
            count = 0;
        }
    }

    /** From left to right; {@code at} is where what comes next is put. */
    private static final class Reader {
        private record Choice(Place open, Place close) {}

        private final String glob;
        private final Deque<Choice> choices = new ArrayDeque<>();
        private int places;
        private Place at;

        Reader(String glob) {
            this.glob = glob;
            at = place(null);
        }

        PathGlob read() {
            Place start = at;
            for (int i = 0; i < glob.length(); i++) {
                int c = glob.codePointAt(i);
                switch (c) {
                    case '*' -> i = stars(i);
                    case '?' -> one(Reader::noSlash);
                    case '[' -> i = set(i);
                    case '{' -> {
                        Place open = place(null);
                        at.next.add(open);
                        choices.push(new Choice(open, place(null)));
                        at = open;
                    }
                    case '}' -> {
                        if (choices.isEmpty()) {
                            one(c);
                        } else {
                            close();
                        }
                    }
                    case ',' -> {
                        if (choices.isEmpty()) {
                            one(c);
                        } else {
                            at.next.add(choices.element().close());
                            at = choices.element().open();
                        }
                    }
                    case '\\' -> {
                        if (i + 1 < glob.length()) {
                            i++;
                            one(glob.codePointAt(i));
                            i += Character.charCount(glob.codePointAt(i)) - 1;
                        }
                    }
                    default -> {
                        one(c);
                        i += Character.charCount(c) - 1;
                    }
                }
            }
            while (!choices.isEmpty()) {
                close();
            }
            return new PathGlob(glob, start, at, places);
        }

        private Place place(@Nullable IntPredicate takes) {
            return new Place(places++, takes);
        }

        private static boolean noSlash(int c) {
            return c != '/';
        }

        private void one(int wanted) {
            one(c -> c == wanted);
        }

        private void one(IntPredicate takes) {
            Place taking = place(takes);
            Place after = place(null);
            at.next.add(taking);
            taking.next.add(after);
            at = after;
        }

        private void any(IntPredicate takes) {
            Place here = place(null);
            Place taking = place(takes);
            at.next.add(here);
            here.next.add(taking);
            taking.next.add(here);
            at = here;
        }

        private void close() {
            Choice choice = choices.pop();
            at.next.add(choice.close());
            at = choice.close();
        }

        /** The index of the last character that belongs to it. */
        private int stars(int from) {
            int to = from;
            while (to < glob.length() && glob.charAt(to) == '*') {
                to++;
            }
            if (to - from == 1) {
                any(Reader::noSlash);
                return from;
            }
            if (to == glob.length() || glob.charAt(to) != '/') {
                any(c -> true);
                return to - 1;
            }
            // Directories, or none.
            Place before = place(null);
            at.next.add(before);
            at = before;
            any(c -> true);
            one('/');
            before.next.add(at);
            return to;
        }

        private int set(int from) {
            int to = glob.indexOf(']', from + 2);
            if (to < 0) {
                one('[');
                return from;
            }
            String inside = glob.substring(from + 1, to);
            boolean not = inside.startsWith("!") || inside.startsWith("^");
            int[] wanted = (not ? inside.substring(1) : inside).codePoints().toArray();
            for (int i = 1; i + 1 < wanted.length; i++) {
                if (wanted[i] == '-' && wanted[i - 1] > wanted[i + 1]) {
                    throw new IllegalArgumentException("in [" + inside + "] a range ends before it begins");
                }
            }
            one(c -> isIn(wanted, c) != not && (!not || c != '/'));
            return to;
        }

        private static boolean isIn(int[] wanted, int c) {
            for (int i = 0; i < wanted.length; i++) {
                if (i + 2 < wanted.length && wanted[i + 1] == '-') {
                    if (c >= wanted[i] && c <= wanted[i + 2]) {
                        return true;
                    }
                    i += 2;
                } else if (c == wanted[i]) {
                    return true;
                }
            }
            return false;
        }
    }
}
