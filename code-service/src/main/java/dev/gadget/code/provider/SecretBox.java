package dev.gadget.code.provider;

import dev.gadget.code.config.CodeConfig;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Seals what must not lie open in the store, under AES-256-GCM with a key from the settings or from a file of 0600. Made at the start, where a wrong key shows. */
@Startup
@Singleton
public class SecretBox {
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private final SecureRandom random = new SecureRandom();
    private final SecretKey key;

    SecretBox(CodeConfig config) {
        key = new SecretKeySpec(
                config.secretKey().map(SecretBox::fromSetting).orElseGet(() -> fromFile(config.dataDir())), "AES");
    }

    /** The sealed form, as text; {@code purpose} has to be the same when it is opened, so that it cannot be moved elsewhere. */
    public String seal(String secret, String purpose) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
            byte[] sealed = cipher.doFinal(secret.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder()
                    .encodeToString(ByteBuffer.allocate(nonce.length + sealed.length)
                            .put(nonce)
                            .put(sealed)
                            .array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot do " + CIPHER, e);
        }
    }

    /** What was sealed; {@code IllegalStateException} when it was sealed under another key or for another purpose. */
    public String open(String sealed, String purpose) {
        byte[] all = Base64.getDecoder().decode(sealed);
        try {
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, all, 0, NONCE_BYTES));
            cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
            return new String(cipher.doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES), StandardCharsets.UTF_8);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a stored secret was sealed under another key than the one in use", e);
        }
    }

    private static byte[] fromSetting(String base64) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(base64.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("gadget.secret-key has to be 32 bytes in Base64, but it is not Base64", e);
        }
        if (bytes.length != KEY_BYTES) {
            throw new IllegalStateException(
                    "gadget.secret-key has to be 32 bytes in Base64, but it is " + bytes.length + " bytes");
        }
        return bytes;
    }

    private static byte[] fromFile(Path dataDir) {
        Path file = dataDir.resolve("secret.key");
        try {
            if (!Files.exists(file)) {
                make(file);
            }
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (!OWNER_ONLY.containsAll(permissions)) {
                throw new IllegalStateException(
                        file + " can be read by others (" + PosixFilePermissions.toString(permissions)
                                + "). It seals every provider key: run 'chmod 600' on it.");
            }
            return fromSetting(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read or make the key file " + file, e);
        }
    }

    private static void make(Path file) throws IOException {
        Files.createDirectories(
                file.getParent(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        Files.writeString(
                file,
                Base64.getEncoder().encodeToString(bytes) + "\n",
                StandardOpenOption.SYNC,
                StandardOpenOption.WRITE);
    }
}
