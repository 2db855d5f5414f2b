package dev.gadget.code.turn;

import dev.gadget.model.TurnId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Words of a person that a drone was told to take into the turn that it works on, and has not taken yet: no others are a person's.
 *
 * @param prompt the prompt that waits with them
 * @param words their SHA-256, in hexadecimal
 */
public record SteeredPrompt(TurnId prompt, String words) {
    static SteeredPrompt of(TurnId prompt, String words) {
        return new SteeredPrompt(prompt, hash(words));
    }

    /** The SHA-256 of a person's words, in hexadecimal. */
    static String hash(String words) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(words.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
