package dev.gadget.code.project;

import dev.gadget.code.RefusedException;
import dev.gadget.model.FailureCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;

/** The rule for the address of a git repository: what git would take as an option or run as a command is refused. */
final class GitUrl {
    private static final int MAX = 2000;
    private static final Pattern SCP_LIKE =
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*@[A-Za-z0-9][A-Za-z0-9.-]*:[A-Za-z0-9_./~][A-Za-z0-9._/~+-]*");

    private GitUrl() {}

    static String checked(String text) {
        String url = text.strip();
        if (url.length() > MAX) {
            throw refused("it has more than " + MAX + " characters");
        }
        if (SCP_LIKE.matcher(url).matches()) {
            return url;
        }
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw refused("it is no URL");
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !scheme.equals("ssh")) {
            throw refused("it is neither https nor ssh");
        }
        String user = uri.getRawUserInfo();
        if (user != null && (scheme.equals("https") || user.contains(":") || user.startsWith("-"))) {
            throw refused("it holds credentials; the drone uses those of its own machine");
        }
        if (uri.getHost() == null
                || uri.getHost().startsWith("-")
                || uri.getRawQuery() != null
                || uri.getRawFragment() != null) {
            throw refused("it is not a host and a path");
        }
        if (uri.getRawPath() == null
                || uri.getRawPath().length() < 2
                || uri.getRawPath().startsWith("/-")) {
            throw refused("it names no repository");
        }
        return url;
    }

    private static RefusedException refused(String why) {
        return new RefusedException(
                FailureCode.INVALID_FIELD,
                "The git URL has to be like https://host/path.git or git@host:path.git, but " + why + ".",
                "gitUrl");
    }
}
