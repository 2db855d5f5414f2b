package dev.gadget.drone.network;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The hosts that package managers fetch from, by the name of the package manager. */
public final class HostSets {
    private static final SortedMap<String, List<String>> SETS = new TreeMap<>(Map.of(
            "npm", List.of("registry.npmjs.org", "registry.yarnpkg.com"),
            "maven", List.of("repo.maven.apache.org", "repo1.maven.org"),
            "gradle",
                    List.of(
                            "repo.maven.apache.org",
                            "repo1.maven.org",
                            "plugins.gradle.org",
                            "plugins-artifacts.gradle.org",
                            "services.gradle.org",
                            "downloads.gradle.org"),
            "pypi", List.of("pypi.org", "files.pythonhosted.org"),
            "go", List.of("proxy.golang.org", "sum.golang.org"),
            "cargo", List.of("index.crates.io", "static.crates.io", "crates.io")));

    private HostSets() {}

    /** Those that there are, with the hosts of each. */
    public static SortedMap<String, List<String>> all() {
        return new TreeMap<>(SETS);
    }

    /** The hosts of a set, or this very host. */
    public static List<String> of(String name) {
        return SETS.getOrDefault(name, List.of(name));
    }

    /** What an owner types to allow this host: the smallest set that has it, else the host. */
    static String nameOf(String host) {
        Optional<String> set = SETS.entrySet().stream()
                .filter(entry -> entry.getValue().contains(host))
                .min(Comparator.comparingInt(entry -> entry.getValue().size()))
                .map(Map.Entry::getKey);
        return set.orElse(host);
    }
}
