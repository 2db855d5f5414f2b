package dev.gadget.code.account;

import dev.gadget.model.Sha256;
import java.security.SecureRandom;
import java.util.Base64;

/** Random secrets, and the one-way form in which the store keeps them. */
public final class Secrets {
    private static final int TOKEN_BYTES = 32;
    /** Base32 without the letters and digits that look alike. */
    private static final String READABLE = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";

    private Secrets() {}

    /** 256 random bits as text for URLs, after a prefix that tells what it is when it turns up somewhere. */
    static String token(String prefix) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random().nextBytes(bytes);
        return prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Groups of four letters that a person can read out and type: each group carries 19.8 bits. */
    public static String readable(int groups) {
        SecureRandom random = random();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < groups * 4; i++) {
            if (i > 0 && i % 4 == 0) {
                text.append('-');
            }
            text.append(READABLE.charAt(random.nextInt(READABLE.length())));
        }
        return text.toString();
    }

    /** Never kept in a static field: a native executable would carry the one of its build. */
    private static SecureRandom random() {
        return new SecureRandom();
    }

    /** SHA-256 in hexadecimal: enough for secrets that are random and long, never for passwords. */
    public static String hash(String secret) {
        return Sha256.of(secret);
    }
}
