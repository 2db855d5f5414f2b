package dev.gadget.drone.tool;

/** Keeps the first and the last part of a text of any length. */
public final class HeadAndTail {
    private final int each;
    private final StringBuilder head = new StringBuilder();
    private final char[] tail;
    private long dropped;
    private long inTail;

    public HeadAndTail(int each) {
        this.each = each;
        tail = new char[each];
    }

    /** A whole text as this keeps it: the same when it is no longer than both parts. */
    public static String of(String text, int each) {
        if (text.length() <= 2 * each) {
            return text;
        }
        var kept = new HeadAndTail(each);
        kept.add(text);
        return kept.text();
    }

    public void add(CharSequence text) {
        int at = Math.min(each - head.length(), text.length());
        head.append(text, 0, at);
        for (int i = at; i < text.length(); i++) {
            tail[(int) (inTail++ % each)] = text.charAt(i);
        }
        dropped = Math.max(0, inTail - each);
    }

    public String text() {
        StringBuilder text = new StringBuilder(head);
        long from = dropped;
        if (dropped > 0) {
            // Half a character cannot be sent.
            boolean half = Character.isHighSurrogate(head.charAt(head.length() - 1));
            text.setLength(half ? text.length() - 1 : text.length());
            from += Character.isLowSurrogate(tail[(int) (from % each)]) ? 1 : 0;
            text.append("\n[… ").append(from + (half ? 1 : 0)).append(" characters are left out here …]\n");
        }
        for (long i = from; i < inTail; i++) {
            text.append(tail[(int) (i % each)]);
        }
        return text.toString();
    }
}
