package dev.gadget.scripted;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Chooses by the marker in the last message of the person: {@code [[lorem tokens=500 rate=50]]}, {@code [[fault 429]]}. */
final class MarkedScript implements Script {
    private static final Pattern MARKER = Pattern.compile("\\[\\[([a-z_]+)((?: [^\\]]*)?)]]");
    private static final Pattern OPTION = Pattern.compile("([a-z_]+)=(?:\"([^\"]*)\"|(\\S+))|(\\S+)");

    private final Script demo = new DemoScript();

    @Override
    public Reply reply(ReceivedRequest request) {
        Matcher marker = MARKER.matcher(request.lastUserText());
        if (!marker.find()) {
            return demo.reply(request);
        }
        Map<String, String> options = options(marker.group(2));
        return Scenes.named(marker.group(1), options, request);
    }

    /** Options by name; a bare word is the option {@code what}. */
    private static Map<String, String> options(String text) {
        Map<String, String> options = new HashMap<>();
        Matcher option = OPTION.matcher(text);
        while (option.find()) {
            if (option.group(4) != null) {
                options.put("what", option.group(4));
            } else {
                options.put(option.group(1), option.group(2) != null ? option.group(2) : option.group(3));
            }
        }
        return options;
    }
}
