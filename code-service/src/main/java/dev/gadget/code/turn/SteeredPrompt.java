package dev.gadget.code.turn;

import dev.gadget.model.Sha256;
import dev.gadget.model.TurnId;

/**
 * Words of a person that a drone was told to take into the turn that it works on, and has not taken yet: no others are a person's.
 *
 * @param prompt the prompt that waits with them
 * @param words their SHA-256, in hexadecimal
 */
public record SteeredPrompt(TurnId prompt, String words) {
    static SteeredPrompt of(TurnId prompt, String words) {
        return new SteeredPrompt(prompt, Sha256.of(words));
    }
}
