package dev.gadget.drone.mcp;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32;

/** Names of foreign tools that model endpoints accept: at most 64 letters, digits, - and _. */
final class ToolNames {
    private static final int MOST = 64;

    private ToolNames() {}

    static String of(String server, String tool) {
        String name = "mcp__" + server + "__" + tool.replaceAll("[^A-Za-z0-9_-]", "_");
        if (name.length() <= MOST) {
            return name;
        }
        // The end tells two long names apart that begin the same.
        CRC32 sum = new CRC32();
        sum.update(tool.getBytes(StandardCharsets.UTF_8));
        String end = "_" + HexFormat.of().toHexDigits((int) sum.getValue());
        return name.substring(0, MOST - end.length()) + end;
    }
}
