package dev.gadget.drone.network;

import dev.gadget.drone.web.WebAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * What a command asks its proxy for. Decision and dialled host come from this one parsed address.
 *
 * @param tunnel whether bytes go through as they are; else it is a request of plain HTTP
 * @param head what the server is sent first; nothing for a tunnel
 */
record ProxyRequest(WebAddress address, boolean tunnel, byte[] head) {
    private static final Set<String> NOT_PASSED_ON =
            Set.of("host", "connection", "proxy-connection", "proxy-authorization", "keep-alive");

    /** From the head of a request, without the empty line; {@code IllegalArgumentException} says what is wrong with it. */
    static ProxyRequest parse(String text) {
        String[] lines = text.split("\r?\n");
        String[] first = lines[0].split(" ");
        if (first.length != 3 || !first[2].matches("HTTP/1\\.[01]")) {
            throw new IllegalArgumentException("the proxy was not spoken to in HTTP");
        }
        if (first[0].equals("CONNECT")) {
            WebAddress address = WebAddress.parse("https://" + first[1] + "/");
            if (!first[1].matches("[^/?#@]+:[0-9]{1,5}")) {
                throw new IllegalArgumentException("`" + first[1] + "` is not a host with a port");
            }
            return new ProxyRequest(address, true, new byte[0]);
        }
        if (!first[1].toLowerCase(Locale.ROOT).startsWith("http://")) {
            throw new IllegalArgumentException("only http addresses, and CONNECT for https, go through");
        }
        WebAddress address = WebAddress.parse(first[1]);
        // One request a connection: the next one could be for another host.
        StringBuilder head = new StringBuilder(first[0] + " " + address.target() + " HTTP/1.1\r\nHost: "
                + address.authority() + "\r\nConnection: close\r\n");
        for (int i = 1; i < lines.length; i++) {
            String name = lines[i].substring(0, Math.max(0, lines[i].indexOf(':')));
            if (!NOT_PASSED_ON.contains(name.strip().toLowerCase(Locale.ROOT))) {
                head.append(lines[i]).append("\r\n");
            }
        }
        return new ProxyRequest(address, false, head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    }
}
