package dev.gadget.drone.web;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Where a page is: parsed once, so that what was checked is what is dialled.
 *
 * @param host in lower case, ASCII, without a trailing dot
 * @param target the path and query as they are sent
 */
public record WebAddress(boolean secure, String host, int port, String target) {
    private static final int LONGEST = 4000;

    /** An address as a model wrote it; {@code IllegalArgumentException} says what is wrong with it. */
    public static WebAddress parse(String text) {
        if (text.length() > LONGEST || text.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
            throw new IllegalArgumentException(
                    "the address has to be plain ASCII without blanks, of at most " + LONGEST + " characters");
        }
        URI uri;
        try {
            uri = new URI(text).parseServerAuthority();
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("`" + text + "` is not a web address: " + e.getReason());
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException("only http and https are fetched, not `" + text + "`");
        }
        if (uri.getHost() == null || uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException("`" + text + "` has no plain host name");
        }
        String host = uri.getHost().toLowerCase(Locale.ROOT);
        host = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        boolean secure = scheme.equals("https");
        int port = uri.getPort() < 0 ? (secure ? 443 : 80) : uri.getPort();
        return new WebAddress(secure, host, port, uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery());
    }

    /** Where a redirection leads. */
    public WebAddress redirected(String location) {
        return parse(URI.create(toString()).resolve(location).toString());
    }

    /** Host and port, as rules name them: without the port where it is the usual one. */
    public String authority() {
        return port == (secure ? 443 : 80) ? host : host + ":" + port;
    }

    @Override
    public String toString() {
        return (secure ? "https://" : "http://") + authority() + target;
    }

    /**
     * The network address to dial: the first of the host's, all of which have to be public.
     *
     * @param allowed hosts, with a port where it is not the usual one, that may be inside the machine's own network
     */
    public InetAddress resolve(List<String> allowed) throws UnknownHostException {
        String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        InetAddress[] addresses = InetAddress.getAllByName(name);
        if (allowed.stream().noneMatch(one -> one.equalsIgnoreCase(authority()))) {
            for (InetAddress address : addresses) {
                if (!isPublic(address)) {
                    throw new IllegalArgumentException("`" + host + "` is inside this machine or its own network ("
                            + address.getHostAddress() + "), which is not fetched; its owner can allow it by name in"
                            + " .gadget/policy.json (fetchHosts)");
                }
            }
        }
        return addresses[0];
    }

    static boolean isPublic(InetAddress address) {
        if (address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()) {
            return false;
        }
        byte[] bytes = address.getAddress();
        return address instanceof Inet4Address ? isPublic4(bytes) : address instanceof Inet6Address && isPublic6(bytes);
    }

    private static boolean isPublic4(byte[] bytes) {
        int first = bytes[0] & 0xff;
        int second = bytes[1] & 0xff;
        int third = bytes[2] & 0xff;
        return first != 0
                && first < 224
                && !(first == 100 && second >= 64 && second < 128)
                && !(first == 192 && second == 0 && (third == 0 || third == 2))
                && !(first == 198 && (second == 18 || second == 19 || second == 51 && third == 100))
                && !(first == 203 && second == 0 && third == 113);
    }

    /** Only what is global unicast; an IPv4 address inside of it counts as itself. */
    private static boolean isPublic6(byte[] bytes) {
        boolean translated = starts(bytes, 0x00, 0x64, 0xff, 0x9b);
        boolean tunnel = starts(bytes, 0x20, 0x02);
        if (translated || tunnel) {
            int at = translated ? 12 : 2;
            try {
                return isPublic(InetAddress.getByAddress(Arrays.copyOfRange(bytes, at, at + 4)));
            } catch (UnknownHostException e) {
                return false;
            }
        }
        return (bytes[0] & 0xe0) == 0x20
                && !starts(bytes, 0x20, 0x01, 0x00, 0x00)
                && !starts(bytes, 0x20, 0x01, 0x0d, 0xb8);
    }

    private static boolean starts(byte[] bytes, int... prefix) {
        for (int i = 0; i < prefix.length; i++) {
            if ((bytes[i] & 0xff) != prefix[i]) {
                return false;
            }
        }
        return true;
    }
}
