package dev.gadget.drone.project;

import dev.gadget.model.FailureCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;

/** Where a project is cloned from. The drone checks it itself: what git would take as an option or run as a command is refused. */
final class GitAddress {
    private static final int MAX = 2000;
    private static final Pattern SCP_LIKE =
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*@[A-Za-z0-9][A-Za-z0-9.-]*:[A-Za-z0-9_./~][A-Za-z0-9._/~+-]*");

    private GitAddress() {}

    /**
     * The address, when git may be given it.
     *
     * @param files whether the owner of this machine allows its own files
     */
    static String checked(String text, boolean files) throws ProjectFailedException {
        String url = text.strip();
        if (url.length() > MAX || url.chars().anyMatch(c -> Character.isISOControl(c) || Character.isWhitespace(c))) {
            throw refused(url, "it has blanks or control characters, or is longer than " + MAX + " characters");
        }
        if (SCP_LIKE.matcher(url).matches()) {
            return url;
        }
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw refused(url, "it is no URL");
        }
        if (uri.getScheme() == null
                || uri.getRawPath() == null
                || uri.getRawPath().length() < 2) {
            throw refused(url, "it names no repository");
        }
        if (uri.getRawPath().startsWith("/-") || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw refused(url, "it is not a host and a path");
        }
        switch (uri.getScheme().toLowerCase(Locale.ROOT)) {
            case "https", "ssh" -> requireHost(url, uri);
            case "file" -> requireFiles(url, uri, files);
            default -> throw refused(url, "only https and ssh are used");
        }
        return url;
    }

    private static void requireHost(String url, URI uri) throws ProjectFailedException {
        String user = uri.getRawUserInfo();
        boolean web = uri.getScheme().equalsIgnoreCase("https");
        if (user != null && (web || user.contains(":") || user.startsWith("-"))) {
            throw refused(uri.getScheme() + "://…", "it holds credentials; this machine's own are used");
        }
        if (uri.getHost() == null || uri.getHost().startsWith("-")) {
            throw refused(url, "it is not a host and a path");
        }
    }

    private static void requireFiles(String url, URI uri, boolean files) throws ProjectFailedException {
        if (!files) {
            throw refused(
                    url,
                    "files of this machine are cloned only when its owner allows it, with \"cloneFromFiles\": true in .gadget/policy.json");
        }
        if (uri.getRawAuthority() != null) {
            throw refused(url, "a file has no host");
        }
    }

    private static ProjectFailedException refused(String url, String why) {
        String shown = url.replaceAll("\\p{Cntrl}", "?");
        return new ProjectFailedException(
                FailureCode.INVALID_FIELD,
                "The project's git address `" + shown.substring(0, Math.min(200, shown.length())) + "` is refused: "
                        + why
                        + ". It has to be like https://host/path.git or git@host:path.git. Correct it in the settings of the project.");
    }
}
