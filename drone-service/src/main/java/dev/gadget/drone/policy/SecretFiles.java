package dev.gadget.drone.policy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Names under which files commonly hold secrets, so that a person is asked before a model reads them. It is no boundary: what holds
 * secrets under another name, and a program that reads such a file without being told, are not known by it.
 */
public final class SecretFiles {
    private static final Pattern NAME = Pattern.compile(
            "\\.env(\\..+)?|.*\\.(pem|p12|pfx|keystore|jks)|id_(rsa|dsa|ecdsa|ed25519)(_sk)?|\\.npmrc|[._]netrc|\\.pypirc"
                    + "|\\.git-credentials|\\.pgpass|\\.htpasswd");
    private static final Pattern SHOWN_TO_ALL = Pattern.compile(".*\\.(example|sample|template|dist)");
    private static final Pattern SLASHES = Pattern.compile("[/\\\\]+");
    private static final Pattern AT_ITS_END = Pattern.compile("/$");
    private static final Set<String> IN_FOLDERS =
            Set.of(".aws/credentials", ".docker/config.json", ".kube/config", ".config/gh/hosts.yml");

    /** Where a word of a shell line may end: also at the parts of {@code --env-file=.env} and {@code @.env}. */
    private static final Pattern BETWEEN_NAMES = Pattern.compile("[\\s'\"`=<>|;&(){}@:,$\\\\]+");

    /** They tell or change that a file is there, not what is in it. */
    private static final Set<String> NOT_READING = Set.of("ls", "test", "[", "rm", "touch", "stat", "chmod", "echo");

    private SecretFiles() {}

    /** Whether a file of this name commonly holds secrets. */
    public static boolean is(Path file) {
        return is(file.toString());
    }

    /** By the letters alone: not every word is a path for a machine of this one's locale. */
    private static boolean is(String path) {
        String whole =
                AT_ITS_END.matcher("/" + SLASHES.matcher(path).replaceAll("/")).replaceAll("");
        String name = ProtectedNames.plain(whole.substring(whole.lastIndexOf('/') + 1));
        if (NAME.matcher(name).matches()) {
            return !SHOWN_TO_ALL.matcher(name).matches();
        }
        return IN_FOLDERS.stream().anyMatch(each -> whole.endsWith("/" + each));
    }

    /** The first of these that is one. */
    static Optional<String> among(List<Path> files) {
        return files.stream().filter(SecretFiles::is).map(Path::toString).findFirst();
    }

    /** The first file of such a name that a shell line names, but where its programs are known not to read it. */
    static Optional<String> in(String line) {
        Optional<List<ShellCommands.Command>> commands = ShellCommands.of(line);
        // What only names it may hand the name to one that runs what it is told.
        boolean passedOn = commands.stream().flatMap(List::stream).anyMatch(one -> RuleMatch.wraps(one.plainWords()));
        return commands.isPresent()
                ? commands.get().stream()
                        .filter(command -> passedOn
                                || !NOT_READING.contains(command.plainWords().getFirst()))
                        .flatMap(command -> command.words().stream())
                        .flatMap(word -> named(word).stream())
                        .findFirst()
                : named(line);
    }

    private static Optional<String> named(String text) {
        return BETWEEN_NAMES
                .splitAsStream(text)
                .filter(word -> word.length() < 500)
                .filter(SecretFiles::is)
                .findFirst();
    }
}
