package dev.gadget.drone.tool;

/**
 * What a tool answers.
 *
 * @param ok whether it did what was asked
 * @param text what the model is told
 */
public record ToolResult(boolean ok, String text) {
    public static ToolResult done(String text) {
        return new ToolResult(true, text);
    }

    public static ToolResult failed(String text) {
        return new ToolResult(false, text);
    }
}
