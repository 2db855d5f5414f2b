package dev.gadget.drone.agent;

import dev.gadget.drone.config.OwnersFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.jboss.logging.Logger;

/** What the owner of this machine tells every agent here, whatever the project: the one file of notes that is not text of a workspace. */
final class OwnersNotes {
    private static final Logger LOG = Logger.getLogger(OwnersNotes.class);
    private static final int MOST = 16 * 1024;

    private OwnersNotes() {}

    /** Where the owner writes them. */
    static Path file(Map<String, String> environment, Path home) {
        return OwnersFolder.of(environment, home).resolve("AGENTS.md");
    }

    /** For the instructions; nothing where there are none. */
    static String text(Path file, int most) {
        try (InputStream bytes = Files.newInputStream(file)) {
            int room = Math.min(most, MOST);
            byte[] read = bytes.readNBytes(room);
            String text = new String(read, StandardCharsets.UTF_8).strip();
            return text.isEmpty()
                    ? ""
                    : "\n\n# What the owner of this machine wants\n" + text + (read.length == room ? "\n… cut" : "");
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            LOG.warnf("The owner's notes cannot be read, and are not told: %s", e);
            return "";
        }
    }
}
