package dev.gadget.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 as it is written everywhere here: 64 lower-case hexadecimal digits. */
public final class Sha256 {
    private Sha256() {}

    /** Of the text in UTF-8. */
    public static String of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    public static String of(byte[] bytes) {
        return HexFormat.of().formatHex(digest().digest(bytes));
    }

    /** For what is too large to hold: {@link #end} tells the hash of all that it was updated with. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    public static String end(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }
}
