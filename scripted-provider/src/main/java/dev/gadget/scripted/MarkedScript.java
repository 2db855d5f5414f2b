package dev.gadget.scripted;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Chooses by the mark in the last message of the person: {@code [[lorem tokens=500 rate=50]]}, {@code [[fault 429]]}. */
final class MarkedScript implements Script {
    private static final Pattern MARK = Pattern.compile("\\[\\[([a-z_]+)((?: [^\\]]*)?)]]");
    /** How a drone asks for the name of a conversation, which is no prompt of a person. */
    private static final Pattern NAMED = Pattern.compile(
            "^Name the conversation that begins with .*?<request>\\s*(.*?)\\s*</request>$", Pattern.DOTALL);

    private static final int LONGEST_TITLE = 60;
    private static final int REMEMBERED = 1000;

    /** How often each of the last prompts with {@code times=} was asked. */
    private final Map<String, Long> asked = new LinkedHashMap<>();

    @Override
    public Reply reply(ReceivedRequest request) {
        String prompt = request.lastUserText();
        Matcher named = NAMED.matcher(prompt);
        if (named.find()) {
            return title(named.group(1));
        }
        Matcher mark = MARK.matcher(prompt);
        if (!mark.find()) {
            return Scenes.named("demo", Options.parsed(""), request);
        }
        try {
            return marked(mark.group(1), Options.parsed(mark.group(2)), request);
        } catch (IllegalArgumentException e) {
            return Faults.error(400, String.valueOf(e.getMessage()));
        }
    }

    /** The first line of what is to be named, without its mark where something is left. */
    private static Reply title(String asked) {
        String line = asked.lines().findFirst().orElse("");
        String bare = MARK.matcher(line).replaceAll("").strip();
        String title = bare.isEmpty() ? line : bare;
        return Reply.text(title.substring(0, Math.min(LONGEST_TITLE, title.length())));
    }

    private Reply marked(String scene, Options options, ReceivedRequest request) {
        Reply reply = Scenes.named(scene, options, request);
        if (options.values().containsKey("times")
                && countedBefore(request.lastUserText()) >= options.number("times", 0, 1000)) {
            return Scenes.named("plain", Options.parsed(""), request);
        }
        return reply;
    }

    private long countedBefore(String prompt) {
        synchronized (asked) {
            long before = asked.getOrDefault(prompt, 0L);
            asked.put(prompt, before + 1);
            if (asked.size() > REMEMBERED) {
                asked.remove(asked.keySet().iterator().next());
            }
            return before;
        }
    }
}
