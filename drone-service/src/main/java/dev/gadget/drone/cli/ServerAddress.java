package dev.gadget.drone.cli;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;

/** The address of a code service, as a person types it. */
record ServerAddress(URI uri) {
    /** Reads it; {@code IllegalArgumentException} with a line for the person when it is none. */
    static ServerAddress parse(String text) {
        String full = text.contains("://") ? text : "https://" + text;
        try {
            URI uri = new URI(full.endsWith("/") ? full.substring(0, full.length() - 1) : full);
            String scheme = uri.getScheme();
            if (uri.getHost() == null
                    || !("http".equals(scheme) || "https".equals(scheme))
                    || uri.getUserInfo() != null) {
                throw new IllegalArgumentException(wrong(text));
            }
            return new ServerAddress(uri);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(wrong(text), e);
        }
    }

    private static String wrong(String text) {
        return "'" + text + "' is not the address of a code service. It looks like https://gadget.example.org.";
    }

    /** Whether a credential would travel in the clear over a network. */
    boolean insecure() {
        try {
            return "http".equals(uri.getScheme())
                    && !InetAddress.getByName(uri.getHost()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return "http".equals(uri.getScheme());
        }
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
