package dev.gadget.drone.policy;

import java.nio.file.Path;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Names inside a workspace that stand for more than their content: what is written there runs later, or is the drone's own. */
public final class ProtectedNames {
    private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cf}\\p{Cc}]");
    private static final Set<String> RUNS_LATER = Set.of(
            ".envrc",
            ".gitattributes",
            ".gitmodules",
            ".gitconfig",
            ".pre-commit-config.yaml",
            ".bashrc",
            ".bash_profile",
            ".profile",
            ".zshrc",
            ".zshenv",
            ".npmrc",
            ".husky",
            ".githooks",
            ".vscode",
            ".idea",
            ".devcontainer");

    private ProtectedNames() {}

    /** Whether it is the drone's own state. */
    public static boolean isPrivate(Path relative) {
        return has(relative, ".gadget");
    }

    /** Whether it is {@code .git} or inside of one. */
    public static boolean isGitInternal(Path relative) {
        return has(relative, ".git") || has(relative, "git~1");
    }

    /** Whether an editor, a shell or git runs what is written there, so that a person should see it first. */
    public static boolean runsLater(Path relative) {
        for (Path name : relative) {
            if (RUNS_LATER.contains(plain(name))) {
                return true;
            }
        }
        return false;
    }

    private static boolean has(Path relative, String wanted) {
        for (Path name : relative) {
            if (plain(name).equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    /** As a file system sees it that ignores case, invisible characters, or dots and blanks at the end. */
    static String plain(Path name) {
        return plain(name.toString());
    }

    static String plain(String name) {
        String visible = INVISIBLE.matcher(name).replaceAll("");
        String composed = Normalizer.normalize(visible, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        int end = composed.length();
        while (end > 0 && (composed.charAt(end - 1) == '.' || composed.charAt(end - 1) == ' ')) {
            end--;
        }
        return composed.substring(0, end);
    }
}
