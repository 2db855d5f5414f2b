package dev.gadget.drone.policy;

import dev.gadget.drone.network.CommandNetwork;
import dev.gadget.drone.workspace.GadgetFolder;
import dev.gadget.drone.workspace.PrivateFile;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps commands to the workspace, with bubblewrap where it works: they write there and in a {@code /tmp} of their own, see no home
 * and none of the drone's state, have no network unless the owner allows it, and end with all that they started. Only the drone's
 * owner decides on it, on the drone's machine.
 */
public final class Sandbox {
    /** What the owner wants. */
    public enum Mode {
        /** A sandbox where it works; where it does not, a person is asked before each command. */
        AUTO,
        /** No command without a sandbox. */
        REQUIRE,
        /** None: the drone's whole machine is meant to be the sandbox, a container for example. */
        OFF;

        /** By its name in any case; {@code IllegalArgumentException} says which there are. */
        public static Mode of(String name) {
            for (Mode mode : values()) {
                if (mode.name().equalsIgnoreCase(name.strip())) {
                    return mode;
                }
            }
            throw new IllegalArgumentException(
                    "--sandbox has to be auto, require or off, but is '" + name.strip() + "'.");
        }
    }

    /** Looked for here and not along the PATH, which may lead into a workspace. */
    private static final List<Path> PLACES =
            List.of(Path.of("/usr/bin/bwrap"), Path.of("/bin/bwrap"), Path.of("/usr/local/bin/bwrap"));

    /** What builds need from a home directory; nothing of it holds a password. */
    private static final List<String> TOOLS_OF_HOME = List.of(
            ".m2/repository",
            ".m2/wrapper",
            ".gradle/caches",
            ".gradle/wrapper",
            ".cargo/bin",
            ".cargo/registry",
            ".rustup",
            ".npm/_cacache",
            ".nvm",
            ".sdkman/candidates",
            ".pyenv",
            ".local/bin",
            ".local/lib",
            ".local/share/pnpm",
            ".bun",
            ".deno",
            ".volta",
            ".asdf",
            "go");

    private static final Logger LOG = Logger.getLogger(Sandbox.class);
    private static final Path LIMITS = Path.of("/usr/bin/prlimit");
    private static final String MOST_PROCESSES = "2048";
    private static final String SIZE_OF_TMP = String.valueOf(2L << 30);

    private final Mode mode;
    private final boolean network;
    private final List<Path> writable;
    private final @Nullable Path program;
    private final @Nullable String missing;
    private final @Nullable Path filter;

    private Sandbox(
            Mode mode,
            boolean network,
            List<Path> writable,
            @Nullable Path program,
            @Nullable String missing,
            @Nullable Path filter) {
        this.filter = filter;
        this.mode = mode;
        this.network = network;
        this.writable = List.copyOf(writable);
        this.program = program;
        this.missing = missing;
    }

    /** None, because the owner wants none. */
    public static Sandbox off() {
        return new Sandbox(Mode.OFF, true, List.of(), null, null, null);
    }

    /**
     * Finds out what works here, by trying it.
     *
     * @param network whether commands may use the network
     * @param writable what they may write besides the workspace
     */
    public static Sandbox find(Mode mode, boolean network, List<Path> writable, GadgetFolder folder) {
        return find(mode, network, writable, folder, PLACES);
    }

    static Sandbox find(Mode mode, boolean network, List<Path> writable, GadgetFolder folder, List<Path> places) {
        if (mode == Mode.OFF) {
            return off();
        }
        Optional<Path> found = places.stream().filter(Files::isExecutable).findFirst();
        if (found.isEmpty()) {
            return new Sandbox(mode, network, writable, null, "bubblewrap (bwrap) is not installed", null);
        }
        var filtered = new Sandbox(mode, network, writable, found.get(), null, filter(folder));
        String trouble = filtered.tryOut(folder.workspace());
        if (trouble == null) {
            return filtered;
        }
        var sandbox = new Sandbox(mode, network, writable, found.get(), null, null);
        return filtered.filter != null && sandbox.tryOut(folder.workspace()) == null
                ? sandbox
                : new Sandbox(mode, network, writable, null, trouble, null);
    }

    private static @Nullable Path filter(GadgetFolder folder) {
        Optional<byte[]> program = SystemCallFilter.of(System.getProperty("os.arch", ""));
        if (program.isEmpty()) {
            return null;
        }
        try {
            PrivateFile.write(folder.systemCallsFile(), program.get());
            return folder.systemCallsFile();
        } catch (IOException e) {
            LOG.warnf("the filter of system calls cannot be written: %s", e.getMessage());
            return null;
        }
    }

    private @Nullable String tryOut(Path workspace) {
        try {
            Process process = new ProcessBuilder(wrap(workspace, List.of("/bin/sh", "-c", "exit 0")))
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .start();
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "bubblewrap does not end here";
            }
            String said = new String(process.getInputStream().readNBytes(1000), StandardCharsets.UTF_8).strip();
            return process.exitValue() == 0 ? null : "bubblewrap does not work here (" + said + ")";
        } catch (IOException e) {
            return "bubblewrap cannot be started (" + e.getMessage() + ")";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "it could not be tried out";
        }
    }

    /** Whether commands run in it. */
    public boolean works() {
        return program != null;
    }

    /** In one line, what is and what is not enforced. */
    public String report() {
        if (mode == Mode.OFF) {
            return "Commands run without a sandbox, with your rights, as --sandbox off says.";
        }
        if (missing != null) {
            return "Commands cannot be kept in a sandbox: " + missing + ". "
                    + (mode == Mode.REQUIRE ? "They are refused." : "Each is asked for, whatever the session says.");
        }
        return "Commands run in a sandbox: they write in the workspace and nowhere else, do not see your home, and have "
                + (network
                        ? "the network."
                        : "no network but the hosts that .gadget/policy.json names (networkHosts; --sandbox-network allows all).")
                + (filter != null
                        ? " What of the kernel no build needs is closed to them."
                        : " No filter of system calls works here.");
    }

    /** What is demanded of every command beyond the policy of its session; empty for nothing. */
    public Optional<ApprovalRules.Verdict> demand() {
        if (missing == null) {
            return Optional.empty();
        }
        return Optional.of(
                mode == Mode.REQUIRE
                        ? new ApprovalRules.Verdict.Refuse("No command is run on this machine: " + missing
                                + ", and its owner wants a sandbox. Go on without commands.")
                        : new ApprovalRules.Verdict.Ask(
                                "It would run with all rights of the drone's owner: " + missing + ".", false));
    }

    /** Whether commands have no network of their own, so that hosts can be let through one by one. */
    public boolean closesNetwork() {
        return works() && !network;
    }

    /** The command line that runs this one in the sandbox, where the work is; the same when there is none. */
    public List<String> wrap(Workspace workspace, List<String> command) {
        return wrap(workspace, command, null);
    }

    /** The same with a way to some hosts. */
    public List<String> wrap(Workspace workspace, List<String> command, @Nullable CommandNetwork hosts) {
        return wrap(workspace.root(), KeptPaths.of(workspace), workspace.base(), command, hosts);
    }

    /** The same for a workspace without a project of its own. */
    List<String> wrap(Path workspace, List<String> command) {
        return wrap(workspace, KeptPaths.of(workspace), workspace, command, null);
    }

    private List<String> wrap(
            Path workspace, KeptPaths kept, Path begin, List<String> command, @Nullable CommandNetwork hosts) {
        Path bwrap = program;
        if (bwrap == null) {
            return command;
        }
        List<String> line = machine(bwrap, workspace, network);
        writable.forEach(path -> bind(line, path));
        bind(line, workspace);
        keep(line, kept.without(List.of()));
        hideState(line, workspace);
        if (hosts != null) {
            hosts.files().forEach(file -> readOnly(line, file));
            line.addAll(List.of("--bind", hosts.socket().toString(), CommandNetwork.INSIDE.toString()));
        }
        return begin(line, begin, hosts == null ? command : hosts.wrap(command));
    }

    /** The command line that runs git of the drone's own in this sandbox, which works: with no network, and nothing to write. */
    List<String> wrapToLook(Workspace workspace, Path directory, GitSettings owner, List<String> command) {
        return wrapGit(workspace, directory, owner, command, null);
    }

    /** The same, with the workspace to write but for what is kept there. */
    List<String> wrapToWrite(
            Workspace workspace, Path directory, GitSettings owner, Map<Path, Boolean> kept, List<String> command) {
        return wrapGit(workspace, directory, owner, command, kept);
    }

    private List<String> wrapGit(
            Workspace workspace,
            Path directory,
            GitSettings owner,
            List<String> command,
            @Nullable Map<Path, Boolean> kept) {
        List<String> line = machine(Objects.requireNonNull(program), workspace.root(), false);
        if (kept == null) {
            readOnly(line, workspace.root());
        } else {
            bind(line, workspace.root());
            keep(line, kept);
        }
        hideState(line, workspace.root());
        owner.files().forEach((inside, file) -> line.addAll(List.of("--ro-bind", file.toString(), inside.toString())));
        return begin(line, directory, command);
    }

    /** The machine, as it is seen without the workspace. */
    private List<String> machine(Path bwrap, Path workspace, boolean network) {
        List<String> line = new ArrayList<>();
        if (filter != null) {
            // Java hands on no open file; a shell does.
            line.addAll(List.of("/bin/sh", "-c", "exec \"$@\" 9< \"$0\"", filter.toString()));
        }
        line.add(bwrap.toString());
        if (filter != null) {
            line.addAll(List.of("--seccomp", "9"));
        }
        line.addAll(List.of(
                "--unshare-all",
                "--die-with-parent",
                "--new-session",
                "--cap-drop",
                "ALL",
                "--ro-bind",
                "/",
                "/",
                "--dev",
                "/dev",
                "--proc",
                "/proc",
                "--size",
                SIZE_OF_TMP,
                "--tmpfs",
                "/tmp",
                "--size",
                SIZE_OF_TMP,
                "--tmpfs",
                "/var/tmp",
                "--size",
                SIZE_OF_TMP,
                "--tmpfs",
                "/run"));
        if (network) {
            line.add("--share-net");
            readOnly(line, Path.of("/run/systemd/resolve"));
        }
        hideHome(line, workspace);
        return line;
    }

    private static void keep(List<String> line, Map<Path, Boolean> kept) {
        kept.forEach((path, writes) ->
                line.addAll(List.of(writes ? "--bind" : "--ro-bind", path.toString(), path.toString())));
    }

    private static void hideState(List<String> line, Path workspace) {
        if (Files.isDirectory(workspace.resolve(".gadget"))) {
            line.addAll(List.of("--tmpfs", workspace.resolve(".gadget").toString()));
        }
    }

    private static List<String> begin(List<String> line, Path directory, List<String> command) {
        line.addAll(List.of("--setenv", "TMPDIR", "/tmp", "--chdir", directory.toString(), "--"));
        if (Files.isExecutable(LIMITS)) {
            line.addAll(List.of(LIMITS.toString(), "--nproc=" + MOST_PROCESSES, "--core=0", "--"));
        }
        line.addAll(command);
        return line;
    }

    private static void hideHome(List<String> line, Path workspace) {
        Path home =
                Path.of(System.getProperty("user.home", "/")).toAbsolutePath().normalize();
        if (home.getNameCount() == 0 || !Files.isDirectory(home) || home.startsWith(workspace)) {
            return;
        }
        line.addAll(List.of("--tmpfs", home.toString()));
        Set<Path> tools = new LinkedHashSet<>();
        TOOLS_OF_HOME.forEach(name -> tools.add(home.resolve(name)));
        for (String name : List.of("PATH", "JAVA_HOME", "GRAALVM_HOME", "M2_HOME", "MAVEN_HOME", "GOROOT")) {
            for (String entry : System.getenv().getOrDefault(name, "").split(File.pathSeparator)) {
                Path path = Path.of(entry).normalize();
                if (path.startsWith(home) && !path.equals(home)) {
                    tools.add(path);
                }
            }
        }
        List<Path> bound = new ArrayList<>();
        // What lies in another of them is there with it, and each mount costs every command a millisecond or two.
        tools.stream()
                .sorted(Comparator.comparingInt(Path::getNameCount))
                .filter(path -> bound.stream().noneMatch(path::startsWith))
                .filter(path -> readOnly(line, path))
                .forEach(bound::add);
    }

    private static void bind(List<String> line, Path path) {
        line.addAll(List.of("--bind", path.toString(), path.toString()));
    }

    /** No link is followed: it could lead to what is hidden. */
    private static boolean readOnly(List<String> line, Path path) {
        boolean there = Files.exists(path) && !Files.isSymbolicLink(path);
        if (there) {
            line.addAll(List.of("--ro-bind", path.toString(), path.toString()));
        }
        return there;
    }
}
