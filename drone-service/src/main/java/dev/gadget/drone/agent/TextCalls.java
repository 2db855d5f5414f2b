package dev.gadget.drone.agent;

import dev.gadget.drone.provider.ChatMessage.RequestedCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds tool calls that a small model writes as text: between tags anywhere but in code, where they are shown and not meant, or as JSON that is the whole response. Text goes
 * through at once unless it may be the beginning of such a call; what turns out not to be one is let through then.
 */
final class TextCalls {
    private static final int MAX_HELD = 256 * 1024;
    private static final List<String> TAGS = List.of("tool_call", "function_call", "tool_use");
    /** What stands between those tags in one of the forms, and at times alone: then only a tool that there is makes it a call. */
    private static final String BARE = "function";

    private static final String BARE_OPEN = "<function=";
    /** Models that forget to open the tag around it close it all the same. */
    private static final String STRAY = "</tool_call>";

    private final TextCallReader reader;
    private final StringBuilder held = new StringBuilder();
    private final List<RequestedCall> calls = new ArrayList<>();
    private final CodeMarks code = new CodeMarks();
    private boolean off;
    private boolean said;
    private boolean mayStray;

    TextCalls(Set<String> toolNames) {
        reader = new TextCallReader(toolNames);
        off = toolNames.isEmpty();
    }

    /** Takes more text, and gives what can be shown of all so far. */
    String take(String delta) {
        if (off) {
            return delta;
        }
        held.append(delta);
        StringBuilder shown = new StringBuilder();
        while (step(shown)) {}
        said |= !shown.toString().isBlank();
        return shown.toString();
    }

    /** The response is complete: the calls that were in it. */
    List<RequestedCall> end() {
        Optional<String> tag = openTag();
        String inner = tag.map(name -> held.substring(open(name))).orElse(held.toString());
        boolean tagged = tag.isPresent() && !tag.get().equals(BARE);
        List<RequestedCall> last = !said || tag.isPresent() ? reader.read(inner, tagged) : List.of();
        if (!last.isEmpty()) {
            calls.addAll(last);
            held.setLength(0);
        }
        return List.copyOf(calls);
    }

    /** What is still held is no call. */
    String giveUp() {
        // Blanks after a call wait for a tag that only closes.
        String rest = mayStray && held.toString().isBlank() ? "" : held.toString();
        held.setLength(0);
        return rest;
    }

    /** Looks at the beginning of what is held; false when it has to wait for more. */
    private boolean step(StringBuilder shown) {
        if (held.isEmpty()) {
            return false;
        }
        if (!strayIsGone()) {
            return false;
        }
        if (held.length() > MAX_HELD) {
            off = true;
            shown.append(giveUp());
            return false;
        }
        Optional<String> tag = openTag();
        if (tag.isPresent()) {
            return closed(tag.get(), shown);
        }
        boolean nothingSaid = !said && shown.toString().isBlank() && calls.isEmpty();
        if (nothingSaid && TextCallReader.maybeWhole(held.toString().stripLeading())) {
            return false;
        }
        int next = held.indexOf("<", held.charAt(0) == '<' && (code.open() || !maybeTag(0)) ? 1 : 0);
        while (next >= 0 && !maybeTag(next)) {
            next = held.indexOf("<", next + 1);
        }
        int end = next < 0 ? held.length() : next;
        // Blanks between calls are nobody's text.
        String text = held.substring(0, end);
        shown.append(!calls.isEmpty() && text.isBlank() ? "" : text);
        code.pass(text);
        held.delete(0, end);
        return end > 0 && !held.isEmpty() && (openTag().isPresent() || code.open());
    }

    private boolean closed(String tag, StringBuilder shown) {
        int close = held.indexOf("</" + tag + ">");
        if (close < 0) {
            return false;
        }
        List<RequestedCall> found = reader.read(held.substring(open(tag), close), !tag.equals(BARE));
        int end = close + tag.length() + 3;
        if (found.isEmpty()) {
            shown.append(held, 0, end);
            code.pass(held.substring(0, end));
        }
        calls.addAll(found);
        mayStray = tag.equals(BARE) && !found.isEmpty();
        held.delete(0, end);
        return true;
    }

    /** Takes away a tag that only closes; false when it is not certain yet whether one follows. */
    private boolean strayIsGone() {
        String rest = held.toString().stripLeading();
        if (mayStray && STRAY.startsWith(rest)) {
            if (rest.equals(STRAY)) {
                held.setLength(0);
                mayStray = false;
            }
            return false;
        }
        if (mayStray && rest.startsWith(STRAY)) {
            held.delete(0, held.length() - rest.length() + STRAY.length());
        }
        mayStray = false;
        return true;
    }

    private Optional<String> openTag() {
        if (held.isEmpty() || held.charAt(0) != '<' || code.open()) {
            return Optional.empty();
        }
        return held.indexOf(BARE_OPEN) == 0
                ? Optional.of(BARE)
                : TAGS.stream()
                        .filter(tag -> held.indexOf("<" + tag + ">") == 0)
                        .findFirst();
    }

    /** Where what a tag holds begins. */
    private static int open(String tag) {
        return tag.equals(BARE) ? 0 : tag.length() + 2;
    }

    private boolean maybeTag(int at) {
        String rest = held.substring(at, Math.min(held.length(), at + 20));
        return Stream.concat(TAGS.stream().map(tag -> "<" + tag + ">"), Stream.of(BARE_OPEN))
                .anyMatch(tag -> rest.startsWith(tag) || tag.startsWith(rest));
    }
}
