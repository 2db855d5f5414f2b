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
        if (dropped > 0) {
            text.append("\n[… ").append(dropped).append(" characters are left out here …]\n");
        }
        for (long i = dropped; i < inTail; i++) {
            text.append(tail[(int) (i % each)]);
        }
        return text.toString();
    }
}
