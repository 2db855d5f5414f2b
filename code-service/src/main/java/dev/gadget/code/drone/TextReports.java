package dev.gadget.code.drone;

import dev.gadget.model.WorkOrderId;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.work.WorkEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads reports that hold only text, which is what nearly every message of a drone is, without the general machinery: for a word or two
 * that is most of what they cost. Whatever does not look exactly like one is left to that, with its checks and its words.
 */
final class TextReports {
    private static final String BEGINS = "{\"type\":\"work_reported\",";
    private static final int UNKNOWN = -1;
    /** Any number of so many digits fits. */
    private static final int MOST_DIGITS = 18;

    private final char[] json;
    private int at;

    private TextReports(String message) {
        json = message.toCharArray();
        at = BEGINS.length();
    }

    /** The report; null when the message is another one, or not in order. */
    static DroneEvent.@Nullable WorkReported read(String message) {
        if (!message.startsWith(BEGINS)) {
            return null;
        }
        try {
            return new TextReports(message).report();
        } catch (IllegalArgumentException notInOrder) {
            return null;
        }
    }

    /** A name that comes again is not one that is still unknown, so that nothing is taken twice. */
    private DroneEvent.@Nullable WorkReported report() {
        String order = null;
        long attempt = UNKNOWN;
        long fence = UNKNOWN;
        List<WorkEntry> entries = null;
        do {
            if (order == null && skip("\"workOrderId\":")) {
                order = text();
            } else if (attempt == UNKNOWN && skip("\"attempt\":")) {
                attempt = number();
            } else if (fence == UNKNOWN && skip("\"fence\":")) {
                fence = number();
            } else if (entries == null && skip("\"entries\":")) {
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
        return new DroneEvent.WorkReported(new WorkOrderId(order), (int) attempt, fence, entries);
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
        String type = null;
        String content = null;
        long seq = UNKNOWN;
        long count = UNKNOWN;
        do {
            if (type == null && skip("\"type\":")) {
                type = text();
            } else if (seq == UNKNOWN && skip("\"seq\":")) {
                seq = number();
            } else if (content == null && skip("\"content\":")) {
                content = text();
            } else if (count == UNKNOWN && skip("\"count\":")) {
                count = number();
            } else {
                return null;
            }
        } while (skip(','));
        if (type == null || seq == UNKNOWN || content == null || count > Integer.MAX_VALUE || !skip('}')) {
            return null;
        }
        Integer merged = count == UNKNOWN ? null : (int) count;
        return switch (type) {
            case "thinking" -> new WorkEntry.Thinking(seq, merged, content);
            case "response" -> new WorkEntry.Response(seq, merged, content);
            default -> null;
        };
    }

    private boolean skip(char expected) {
        boolean found = at < json.length && json[at] == expected;
        at += found ? 1 : 0;
        return found;
    }

    private boolean skip(String expected) {
        int length = expected.length();
        if (at + length > json.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (json[at + i] != expected.charAt(i)) {
                return false;
            }
        }
        at += length;
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
                unescaped = unescaped == null ? new StringBuilder(json.length - from) : unescaped;
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
