package dev.gadget.drone.network;

import dev.gadget.drone.web.WebAddress;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The hosts that commands reach: {@code example.org}, {@code *.example.org} for all below it, {@code example.org:8443} with a port that
 * is not the usual one.
 */
public record AllowedHosts(List<String> entries) {
    private static final int MOST = 200;
    private static final Pattern ENTRY = Pattern.compile(
            "(?:\\*\\.[a-z0-9-]+(?:\\.[a-z0-9-]+)+|[a-z0-9-]+(?:\\.[a-z0-9-]+)*|\\[[0-9a-f:.]+\\])(?::[0-9]{1,5})?");

    /** {@code IllegalArgumentException} says what is wrong with one. */
    public AllowedHosts {
        if (entries.size() > MOST) {
            throw new IllegalArgumentException(
                    "networkHosts has at most " + MOST + " hosts, but these are " + entries.size());
        }
        entries = entries.stream()
                .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
                .toList();
        for (String entry : entries) {
            if (!ENTRY.matcher(entry).matches()) {
                throw new IllegalArgumentException("networkHosts holds '" + entry
                        + "', which is no host: write example.org, *.example.org or example.org:8443");
            }
        }
    }

    /** Whether this very address, as it was parsed, is allowed. */
    boolean allow(WebAddress address) {
        String authority = address.authority();
        return entries.stream()
                .anyMatch(entry -> entry.startsWith("*.")
                        ? authority.endsWith(entry.substring(1)) && authority.length() >= entry.length()
                        : authority.equals(entry));
    }
}
