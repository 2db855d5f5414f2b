package dev.gadget.code.provider;

import dev.gadget.code.RefusedException;
import dev.gadget.model.FailureCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** The rule for the address of a model endpoint. */
final class BaseUrl {
    private static final int MAX = 2000;

    private BaseUrl() {}

    /** The address without slashes at its end; refused when it is none of a model endpoint. */
    static String checked(String text) {
        String url = text.strip();
        while (url.endsWith("/")) {
            url = url.substring(0, url.length() - 1);
        }
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw refused("it is no URL");
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw refused("it does not begin with http:// or https://");
        }
        if (uri.getHost() == null || url.length() > MAX) {
            throw refused("it names no host");
        }
        if (uri.getRawUserInfo() != null) {
            throw refused("it holds a user or password; the key goes into apiKey");
        }
        if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw refused("it has a query or fragment");
        }
        return url;
    }

    /** The part of a checked address that says which server it is: scheme, host and port. */
    static String origin(String url) {
        URI uri = URI.create(url);
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        int standard = scheme.equals("https") ? 443 : 80;
        return scheme + "://" + uri.getHost().toLowerCase(Locale.ROOT) + ":"
                + (uri.getPort() < 0 ? standard : uri.getPort());
    }

    private static RefusedException refused(String why) {
        return new RefusedException(
                FailureCode.INVALID_FIELD,
                "The base URL has to be like https://api.example.org/v1 (openai) or http://127.0.0.1:11434 (ollama), but "
                        + why + ".",
                "baseUrl");
    }
}
