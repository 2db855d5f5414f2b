package dev.gadget.drone.tool;

import dev.gadget.drone.provider.ToolSpec;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The tools that there are, by name. */
@ApplicationScoped
public class Toolbox {
    private final SortedMap<String, Tool> tools = new TreeMap<>();

    @Inject
    public Toolbox(Instance<Tool> found) {
        this(found.stream().toList());
    }

    public Toolbox(Collection<? extends Tool> found) {
        for (Tool tool : found) {
            if (tools.put(tool.spec().name(), tool) != null) {
                throw new IllegalStateException(
                        "two tools are called " + tool.spec().name());
            }
        }
    }

    Toolbox() {}

    public Optional<Tool> find(String name) {
        return Optional.ofNullable(tools.get(name));
    }

    public List<ToolSpec> specs() {
        return tools.values().stream().map(Tool::spec).toList();
    }

    public List<String> names() {
        return List.copyOf(tools.keySet());
    }
}
