package dev.gadget.drone.tool;

import dev.gadget.drone.provider.ToolSpec;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The tools that there are, by name: the drone's own, and what sources have at the moment. */
@ApplicationScoped
public class Toolbox {
    private final SortedMap<String, Tool> own = new TreeMap<>();
    private final List<ToolSource> sources;

    @Inject
    public Toolbox(Instance<Tool> found, Instance<ToolSource> sources) {
        this(found.stream().toList(), sources.stream().toList());
    }

    public Toolbox(Collection<? extends Tool> found) {
        this(found, List.of());
    }

    public Toolbox(Collection<? extends Tool> found, Collection<? extends ToolSource> sources) {
        this.sources = List.copyOf(sources);
        for (Tool tool : found) {
            if (own.put(tool.spec().name(), tool) != null) {
                throw new IllegalStateException(
                        "two tools are called " + tool.spec().name());
            }
        }
    }

    Toolbox() {
        sources = List.of();
    }

    /** The same, and one more. */
    public Toolbox with(Tool more) {
        List<Tool> found = new ArrayList<>(own.values());
        found.add(more);
        return new Toolbox(found, sources);
    }

    /** The same, without one of the drone's own. */
    public Toolbox without(String name) {
        return new Toolbox(
                own.values().stream()
                        .filter(tool -> !tool.spec().name().equals(name))
                        .toList(),
                sources);
    }

    /** Of those that there are now, the ones with these names. */
    public Toolbox only(Set<String> names) {
        return new Toolbox(all().values().stream()
                .filter(tool -> names.contains(tool.spec().name()))
                .toList());
    }

    public Optional<Tool> find(String name) {
        return Optional.ofNullable(all().get(name));
    }

    public List<ToolSpec> specs() {
        return all().values().stream().map(Tool::spec).toList();
    }

    public List<String> names() {
        return List.copyOf(all().keySet());
    }

    /** What comes from elsewhere never takes the place of a tool of the drone. */
    private SortedMap<String, Tool> all() {
        SortedMap<String, Tool> all = new TreeMap<>(own);
        for (ToolSource source : sources) {
            source.tools().forEach(tool -> all.putIfAbsent(tool.spec().name(), tool));
        }
        return all;
    }
}
