package dev.gadget.drone.config;

import java.nio.file.Path;
import java.util.Map;

/** Where the owner of this machine keeps what holds for all workspaces: {@code gadget-drone} in the configuration directory. */
public final class OwnersFolder {
    private OwnersFolder() {}

    /** A relative {@code XDG_CONFIG_HOME} is ignored, as its specification asks: it would be another folder in each workspace. */
    public static Path of(Map<String, String> environment, Path home) {
        String xdg = environment.getOrDefault("XDG_CONFIG_HOME", "");
        return (xdg.startsWith("/") ? Path.of(xdg) : home.resolve(".config")).resolve("gadget-drone");
    }
}
