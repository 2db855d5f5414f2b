package dev.gadget.drone.tool;

import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;

/** Keeps the list of what is to be done, which the person sees. */
@ApplicationScoped
public class TodoTool implements Tool {
    private static final int MAX_ITEMS = 50;

    private static final ToolSpec SPEC = new ToolSpec(
            "update_todos",
            "Shows the person the list of what you will do, for tasks of three steps or more. Give the whole list each time, one item a"
                    + " line: `[ ] to do`, `[>] doing now`, `[x] done`.",
            Schema.object().text("items", "The whole list, one item a line.").build());

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolEffect effect() {
        return ToolEffect.READS;
    }

    @Override
    public Map<String, Object> example() {
        return Map.of("items", "[x] Find the failing test\n[>] Mend the cart\n[ ] Run all tests");
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of("todos", "items", "list", "items", "plan", "items");
    }

    @Override
    public ToolResult run(ToolInvocation call) {
        List<String> items = call.text("items")
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        List<String> wrong = items.stream()
                .filter(line -> !line.matches("[-*]?\\s*\\[[ xX>]\\]\\s+\\S.*"))
                .toList();
        if (items.isEmpty() || items.size() > MAX_ITEMS || !wrong.isEmpty()) {
            return ToolResult.failed((items.isEmpty()
                            ? "The list is empty."
                            : wrong.isEmpty()
                                    ? "The list has " + items.size() + " items; at most " + MAX_ITEMS + " are taken."
                                    : "`" + wrong.getFirst() + "` is not an item.")
                    + " Write one item a line, as `[ ] to do`, `[>] doing now` or `[x] done`.");
        }
        long done = items.stream()
                .filter(line -> line.matches("[-*]?\\s*\\[[xX]\\].*"))
                .count();
        return ToolResult.done("The list is shown: " + done + " of " + items.size() + " done.");
    }
}
