package dev.gadget.code.drone;

import dev.gadget.model.WorkOrderId;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.work.WorkEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads reports that hold only text, which is what nearly every message of a drone is, without the general machinery: for a word or two
 * that is most of what they cost. Whatever does not look exactly like one is left to that, with its checks and its words. Belongs to one
 * drone's connection, whose reports are of the same order for long.
 */
final class TextReports {
    private static final String BEGINS = "{\"type\":\"work_reported\",";
    private static final char[] WORK_ORDER = name("\"workOrderId\":");
    private static final char[] ATTEMPT = name("\"attempt\":");
    private static final char[] FENCE = name("\"fence\":");
    private static final char[] ENTRIES = name("\"entries\":");
    private static final char[] TYPE = name("\"type\":");
    private static final char[] THINKING = name("\"thinking\"");
    private static final char[] RESPONSE = name("\"response\"");
    private static final char[] SEQ = name("\"seq\":");
    private static final char[] CONTENT = name("\"content\":");
    private static final char[] COUNT = name("\"count\":");
    private static final char[] PARENT = name("\"parent\":");
    private static final char[] NOTHING = {};
    private static final int UNKNOWN = -1;
    /** Any number of so many digits fits. */
    private static final int MOST_DIGITS = 18;

    private char[] json = NOTHING;
    private int at;
    private @Nullable WorkOrderId last;

    /** As an array: natively each character of a string that is asked for is a call. */
    private static char[] name(String text) {
        return text.toCharArray();
    }

    /** The report; null when the message is another one, or not in order. */
    DroneEvent.@Nullable WorkReported read(String message) {
        if (!message.startsWith(BEGINS)) {
            return null;
        }
        json = message.toCharArray();
        at = BEGINS.length();
        try {
            return report();
        } catch (IllegalArgumentException notInOrder) {
            return null;
        } finally {
            json = NOTHING;
        }
    }

    /** A name that comes again is not one that is still unknown, so that nothing is taken twice. */
    private DroneEvent.@Nullable WorkReported report() {
        String order = null;
        long attempt = UNKNOWN;
        long fence = UNKNOWN;
        List<WorkEntry> entries = null;
        do {
            if (order == null && skip(WORK_ORDER)) {
                order = text();
            } else if (attempt == UNKNOWN && skip(ATTEMPT)) {
                attempt = number();
            } else if (fence == UNKNOWN && skip(FENCE)) {
                fence = number();
            } else if (entries == null && skip(ENTRIES)) {
                entries = entries();
            } else {
                return null;
            }
        } while (skip(','));
        if (order == null
                || attempt == UNKNOWN
                || attempt > Integer.MAX_VALUE
                || fence == UNKNOWN
                || entries == null
                || !skip('}')
                || at != json.length) {
            return null;
        }
        return new DroneEvent.WorkReported(workOrder(order), (int) attempt, fence, entries);
    }

    /** Looked at once as to whether it is an id. */
    private WorkOrderId workOrder(String order) {
        WorkOrderId known = last;
        if (known == null || !known.value().equals(order)) {
            known = new WorkOrderId(order);
            last = known;
        }
        return known;
    }

    private @Nullable List<WorkEntry> entries() {
        if (!skip('[')) {
            return null;
        }
        List<WorkEntry> entries = new ArrayList<>(4);
        do {
            WorkEntry entry = entry();
            if (entry == null) {
                return null;
            }
            entries.add(entry);
        } while (skip(','));
        return skip(']') ? entries : null;
    }

    private @Nullable WorkEntry entry() {
        if (!skip('{')) {
            return null;
        }
        char[] type = null;
        String content = null;
        String parent = null;
        long seq = UNKNOWN;
        long count = UNKNOWN;
        do {
            if (type == null && skip(TYPE)) {
                type = type();
            } else if (seq == UNKNOWN && skip(SEQ)) {
                seq = number();
            } else if (content == null && skip(CONTENT)) {
                content = text();
            } else if (count == UNKNOWN && skip(COUNT)) {
                count = number();
            } else if (parent == null && skip(PARENT)) {
                parent = text();
            } else {
                return null;
            }
        } while (skip(','));
        if (type == null || seq == UNKNOWN || content == null || count > Integer.MAX_VALUE || !skip('}')) {
            return null;
        }
        Integer merged = count == UNKNOWN ? null : (int) count;
        return type == THINKING
                ? new WorkEntry.Thinking(seq, merged, content, parent)
                : new WorkEntry.Response(seq, merged, content, parent);
    }

    private char[] type() {
        if (skip(RESPONSE)) {
            return RESPONSE;
        }
        if (skip(THINKING)) {
            return THINKING;
        }
        throw new IllegalArgumentException("not text");
    }

    private boolean skip(char expected) {
        boolean found = at < json.length && json[at] == expected;
        at += found ? 1 : 0;
        return found;
    }

    private boolean skip(char[] expected) {
        if (at + expected.length > json.length) {
            return false;
        }
        for (int i = 0; i < expected.length; i++) {
            if (json[at + i] != expected[i]) {
                return false;
            }
        }
        at += expected.length;
        return true;
    }

    /** A whole number that is not negative, and surely fits. */
    private long number() {
        int from = at;
        long value = 0;
        while (at < json.length && json[at] >= '0' && json[at] <= '9') {
            value = value * 10 + (json[at] - '0');
            at++;
        }
        int digits = at - from;
        if (digits == 0 || digits > MOST_DIGITS || (digits > 1 && json[from] == '0')) {
            throw new IllegalArgumentException("not a number that is known here");
        }
        return value;
    }

    /** What stands in quotes. */
    private String text() {
        int from = at + 1;
        StringBuilder unescaped = null;
        boolean quoted = skip('"');
        for (; quoted && at < json.length && json[at] >= ' '; at++) {
            if (json[at] == '"') {
                at++;
                return unescaped == null
                        ? new String(json, from, at - 1 - from)
                        : unescaped.append(json, from, at - 1 - from).toString();
            }
            if (json[at] == '\\') {
                // It grows with this text: the message may hold any number of others.
                unescaped = unescaped == null ? new StringBuilder(at - from + 16) : unescaped;
                unescaped.append(json, from, at - from).append(escaped());
                from = at + 1;
            }
        }
        throw new IllegalArgumentException("not a text");
    }

    /** What the escape here stands for; its last character is the current one then. */
    private char escaped() {
        at++;
        char kind = at < json.length ? json[at] : 0;
        return switch (kind) {
            case '"', '\\', '/' -> kind;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> {
                int code = 0;
                for (int i = 0; i < 4; i++) {
                    at++;
                    int digit = at < json.length && json[at] < 128 ? Character.digit(json[at], 16) : UNKNOWN;
                    if (digit == UNKNOWN) {
                        throw new IllegalArgumentException("not four digits after \\u");
                    }
                    code = code * 16 + digit;
                }
                yield (char) code;
            }
            default -> throw new IllegalArgumentException("not an escape");
        };
    }
}
