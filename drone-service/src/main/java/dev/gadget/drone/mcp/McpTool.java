package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.drone.tool.Tool;
import dev.gadget.drone.tool.ToolInvocation;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.model.turn.ToolEffect;
import java.util.Map;

/** A tool of a server, as the model sees it. */
final class McpTool implements Tool {
    private static final int MAX_DESCRIPTION = 4000;

    private final McpServer server;
    private final String remoteName;
    private final ToolSpec spec;
    private final ToolEffect effect;

    private McpTool(McpServer server, String remoteName, ToolSpec spec, ToolEffect effect) {
        this.server = server;
        this.remoteName = remoteName;
        this.spec = spec;
        this.effect = effect;
    }

    /**
     * The tool that a server describes so; {@code IllegalArgumentException} when it cannot be offered. What the server says of
     * its harmlessness is not believed: only the owner's word counts.
     */
    static McpTool of(McpServer server, ServerConfig config, JsonNode described) {
        String name = described.path("name").asText("");
        if (name.isBlank()) {
            throw new IllegalArgumentException("it has no name");
        }
        String description = described.path("description").asText("");
        ToolSpec spec = new ToolSpec(
                ToolNames.of(config.name(), name),
                plain(description.isBlank() ? described.path("title").asText(name) : description),
                ToolSchema.of(described.path("inputSchema")));
        return new McpTool(
                server,
                name,
                spec,
                config.common().readOnlyTools().contains(name) ? ToolEffect.READS : ToolEffect.NETWORK);
    }

    private static String plain(String text) {
        String cut = text.length() > MAX_DESCRIPTION ? text.substring(0, MAX_DESCRIPTION) + "…" : text;
        return cut.replaceAll("[\\p{Cntrl}\\p{Cf}&&[^\\n\\t]]", "");
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public ToolEffect effect() {
        return effect;
    }

    @Override
    public Map<String, Object> example() {
        return ToolSchema.example(spec.parameters());
    }

    @Override
    public ToolResult run(ToolInvocation call) throws InterruptedException {
        try {
            return AnswerText.of(server.call(remoteName, call.parameters(), call.cancel()));
        } catch (McpException e) {
            return ToolResult.failed(String.valueOf(e.getMessage()));
        }
    }
}
