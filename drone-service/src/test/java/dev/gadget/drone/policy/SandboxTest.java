package dev.gadget.drone.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gadget.drone.policy.ApprovalRules.Verdict;
import dev.gadget.drone.workspace.GadgetFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The sandbox of commands")
class SandboxTest {
    @TempDir
    Path directory;

    private Path workspace;
    private GadgetFolder folder;

    @BeforeEach
    void workspace() throws IOException {
        workspace = Files.createDirectory(directory.toRealPath().resolve("workspace"));
        folder = GadgetFolder.open(workspace);
    }

    private Sandbox find(Sandbox.Mode mode, boolean network) {
        return Sandbox.find(mode, network, List.of(), folder);
    }

    private record Ran(int status, String output) {}

    private Ran run(Sandbox sandbox, String command) throws Exception {
        Process process = new ProcessBuilder(sandbox.wrap(workspace, List.of("/bin/sh", "-c", command)))
                .directory(workspace.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ran(process.exitValue(), output);
    }

    @Nested
    @DisplayName("where bubblewrap works")
    class Works {
        private Sandbox sandbox;

        @BeforeEach
        void works() {
            sandbox = find(Sandbox.Mode.REQUIRE, false);
            assumeTrue(sandbox.works(), sandbox.report());
            assertThat(sandbox.demand()).isEmpty();
        }

        @Test
        @DisplayName("writes go into the workspace and a /tmp of their own, and nowhere else")
        void writes() throws Exception {
            Path outside = Files.createDirectory(directory.resolve("outside"));
            assertThat(run(sandbox, "echo yes > inside.txt && echo x > /tmp/x").status())
                    .isZero();
            assertThat(workspace.resolve("inside.txt")).hasContent("yes");
            assertThat(run(sandbox, "echo no > " + outside + "/no.txt").status())
                    .isNotZero();
            assertThat(run(sandbox, "echo no > /etc/gadget-was-here").status()).isNotZero();
            assertThat(run(sandbox, "echo no > /usr/gadget-was-here").status()).isNotZero();
            assertThat(outside).isEmptyDirectory();
        }

        @Test
        @DisplayName(
                "A16: a command begins where the work is, and cannot change what git runs of the project and its worktree")
        void guardsProject() throws Exception {
            Path home = workspace.resolve("shop");
            Files.createDirectories(home.resolve(".git/hooks"));
            Files.writeString(home.resolve(".git/config"), "[core]\n");
            Path base = Files.createDirectories(workspace.resolve(".worktrees/shop-1"));
            Files.writeString(base.resolve(".git"), "gitdir: ../../shop/.git/worktrees/shop-1\n");
            List<String> line = sandbox.wrap(
                    new Workspace(workspace).at(home, base),
                    List.of(
                            "/bin/sh",
                            "-c",
                            "pwd; echo x > here; echo x > .git; echo x > ../../shop/.git/config;"
                                    + " echo x > ../../shop/.git/hooks/post-checkout; echo x > ../../shop/there; true"));
            Process process = new ProcessBuilder(line)
                    .directory(base.toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(output).startsWith(base.toString());
            assertThat(base.resolve("here")).exists();
            assertThat(home.resolve("there")).exists();
            assertThat(base.resolve(".git")).content().startsWith("gitdir");
            assertThat(home.resolve(".git/config")).hasContent("[core]\n");
            assertThat(home.resolve(".git/hooks")).isEmptyDirectory();
        }

        @Test
        @DisplayName("A12: the home directory, sockets of the machine and the drone's state are not seen")
        void hides() throws Exception {
            Files.writeString(workspace.resolve(".gadget/credential.json"), "secret");
            Path mark = Files.createTempFile(Path.of(System.getProperty("user.home")), ".gadget-sandbox-test", "");
            try {
                assertThat(run(sandbox, "ls -a " + mark.getParent()).output())
                        .doesNotContain(mark.getFileName().toString());
            } finally {
                Files.delete(mark);
            }
            assertThat(run(sandbox, "ls -a .gadget /run").output()).doesNotContain("credential", ".sock");
            assertThat(run(sandbox, "cat .gadget/credential.json").status()).isNotZero();
            assertThat(run(sandbox, "ls /proc | grep -c '^[0-9]'").output().strip())
                    .as("only its own processes")
                    .hasSizeLessThan(2);
        }

        @Test
        @DisplayName("P13: of the owner's tools none is mounted that lies in another, and each is seen")
        void mountsTools() throws Exception {
            List<String> line = sandbox.wrap(workspace, List.of("/bin/sh", "-c", "true"));
            List<Path> tools = IntStream.range(1, line.size())
                    .filter(at -> line.get(at - 1).equals("--ro-bind")
                            && !line.get(at).equals("/"))
                    .mapToObj(at -> Path.of(line.get(at)))
                    .toList();
            assertThat(tools)
                    .allSatisfy(tool -> assertThat(tools)
                            .as("others that lie in it")
                            .noneMatch(other -> !other.equals(tool) && other.startsWith(tool)));
            for (String entry : System.getenv("PATH").split(":")) {
                Path tool = Path.of(entry).normalize();
                if (tool.startsWith(System.getProperty("user.home")) && Files.isDirectory(tool)) {
                    assertThat(run(sandbox, "test -d " + tool).status())
                            .as(entry)
                            .isZero();
                }
            }
        }

        @Test
        @DisplayName("A10: what git runs cannot be changed, and commits still work")
        void git() throws Exception {
            assertThat(run(Sandbox.off(), "git init -q . && git config user.name T && git config user.email t@t")
                            .status())
                    .isZero();
            assertThat(run(sandbox, "echo 'touch /tmp/x' > .git/hooks/pre-commit")
                            .status())
                    .isNotZero();
            assertThat(run(sandbox, "git config core.fsmonitor 'touch x'").status())
                    .isNotZero();
            Ran commit = run(sandbox, "echo a > a.txt && git add a.txt && git commit -qm one && git log --oneline");
            assertThat(commit.output()).contains("one");
            assertThat(commit.status()).isZero();
        }

        @Test
        @DisplayName(
                "A16: what runs later is kept in repositories below as well, and set aside where it was not there before")
        void runsLater() throws Exception {
            Path shop = Files.createDirectories(workspace.resolve("shop"));
            assertThat(run(Sandbox.off(), "cd shop && git init -q .").status()).isZero();
            assertThat(run(sandbox, "echo 'touch x' > shop/.git/hooks/pre-commit")
                            .status())
                    .isNotZero();
            assertThat(run(sandbox, "cd shop && git config core.fsmonitor 'touch x'")
                            .status())
                    .isNotZero();
            RunsLaterGuard guard = RunsLaterGuard.before(new Workspace(workspace));
            String make =
                    "echo x > .envrc; mkdir .vscode; echo x > .vscode/tasks.json; ln -s /etc/passwd shop/.gitattributes; echo y > fine";
            assertThat(run(sandbox, make).status()).isZero();
            assertThat(guard.after()).containsExactlyInAnyOrder(".envrc", ".vscode", "shop/.gitattributes");
            assertThat(workspace.resolve(".envrc")).doesNotExist();
            assertThat(Files.isSymbolicLink(shop.resolve(".gitattributes"))).isFalse();
            assertThat(workspace.resolve("fine")).exists();
            assertThat(run(Sandbox.off(), "mkdir new && cd new && git init -q .")
                            .status())
                    .isZero();
            assertThat(RunsLaterGuard.before(new Workspace(workspace)).after()).isEmpty();
        }

        @Test
        @DisplayName("A17: /tmp has an end")
        void limits() throws Exception {
            Ran ran = run(sandbox, "df -Pk /tmp | tail -1");
            assertThat(ran.output().trim().split("\\s+")[1]).isEqualTo(String.valueOf(2L << 20));
            assertThat(run(sandbox, "ulimit -c").output().strip()).isEqualTo("0");
        }

        @Test
        @DisplayName("A17: there is no network and no way to more rights, unless the owner allows the network")
        void network() throws Exception {
            assertThat(run(sandbox, "cat /proc/net/dev").output())
                    .contains("lo:")
                    .doesNotContain("eth", "en");
            String own = "readlink /proc/self/ns/net";
            assertThat(run(sandbox, own).output())
                    .isNotEqualTo(run(Sandbox.off(), own).output());
            assertThat(run(find(Sandbox.Mode.AUTO, true), own).output())
                    .isEqualTo(run(Sandbox.off(), own).output());
            assertThat(run(sandbox, "mount -t tmpfs none /mnt").status()).isNotZero();
        }

        @Test
        @DisplayName(
                "A17: what of the kernel no build needs is closed: keys, bpf, io_uring, namespaces, typing into terminals")
        void systemCalls() throws Exception {
            assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "no perl to make system calls with");
            boolean arm = System.getProperty("os.arch").equals("aarch64");
            assertThat(sandbox.report()).contains("What of the kernel no build needs is closed");
            // keyctl, bpf, perf_event_open, userfaultfd, mount, kexec_load, finit_module, io_uring_setup, setns
            for (int number : arm
                    ? new int[] {219, 280, 241, 282, 40, 104, 273, 425, 268}
                    : new int[] {250, 321, 298, 323, 165, 246, 313, 425, 308}) {
                assertThat(run(sandbox, "perl -e 'syscall(" + number + ",0,0,0,0,0); print $!+0'")
                                .output())
                        .as("system call %d", number)
                        .isEqualTo("1");
            }
            assertThat(run(sandbox, "perl -e 'syscall(435,0,0); print $!+0'").output())
                    .isEqualTo("38");
            assertThat(run(sandbox, "unshare --user true").output()).contains("not permitted");
            assertThat(run(sandbox, "perl -e '$x = chr(120); ioctl(STDIN, 0x5412, $x); print $!+0'")
                            .output())
                    .isEqualTo("1");
            // AF_VSOCK, which no network namespace keeps in, and AF_ALG.
            for (int family : new int[] {40, 38}) {
                assertThat(run(sandbox, "perl -e 'socket(S, " + family + ", 1, 0); print $!+0'")
                                .output())
                        .isEqualTo("97");
            }
            assertThat(run(sandbox, "perl -e 'socket(S, 2, 1, 0) and print \"fine\"'")
                            .output())
                    .isEqualTo("fine");
        }

        @Test
        @DisplayName("programs that build go on working behind the filter")
        void builds() throws Exception {
            Files.writeString(
                    workspace.resolve("A.java"),
                    "public class A { public static void main(String[] a) throws Exception { Thread t = Thread.startVirtualThread(() -> System.out.print(\"java\")); t.join(); } }");
            String java = System.getProperty("java.home") + "/bin/";
            assertThat(run(sandbox, java + "javac A.java && " + java + "java -cp . A")
                            .output())
                    .isEqualTo("java");
            for (String command : List.of(
                    "git init -q x && echo git",
                    "echo 'int main(){return 0;}' > a.c && gcc -pthread -o a a.c && ./a && echo gcc",
                    "node -e 'new (require(\"worker_threads\").Worker)(\"console.log(1)\", {eval: true}); require(\"child_process\").execSync(\"true\"); require(\"fs\").promises.readFile(\"/etc/hostname\").then(() => console.log(\"node\"))'",
                    "python3 -c 'import threading, subprocess; threading.Thread(target=lambda: subprocess.run([\"true\"], check=True)).start(); print(\"python3\")'")) {
                String program =
                        command.contains("gcc") ? "gcc" : command.startsWith("git") ? "git" : command.split(" ")[0];
                if (run(sandbox, "command -v " + program).status() == 0) {
                    Ran ran = run(sandbox, command);
                    assertThat(ran.output()).as(command).contains(program);
                    assertThat(ran.status()).as(command).isZero();
                }
            }
        }
    }

    @Test
    @DisplayName("where there is none, each command is asked for, or refused, as the owner wants it, and both are said")
    void missing() {
        List<Path> nowhere = List.of(directory.resolve("bwrap"));
        Sandbox asks = Sandbox.find(Sandbox.Mode.AUTO, false, List.of(), folder, nowhere);
        assertThat(asks.works()).isFalse();
        assertThat(asks.demand()).get().isInstanceOf(Verdict.Ask.class);
        assertThat(asks.report()).contains("not installed", "asked for");
        Sandbox refuses = Sandbox.find(Sandbox.Mode.REQUIRE, false, List.of(), folder, nowhere);
        assertThat(refuses.demand()).get().isInstanceOf(Verdict.Refuse.class);
        assertThat(refuses.report()).contains("refused");
        assertThat(Sandbox.off().demand()).isEmpty();
        assertThat(Sandbox.off().wrap(workspace, List.of("ls"))).containsExactly("ls");
    }

    @Test
    @DisplayName("a bubblewrap that does not work is found out at the start")
    void broken() throws IOException {
        Path broken = Files.writeString(directory.resolve("bwrap"), "#!/bin/sh\necho no user namespaces >&2\nexit 1\n");
        assertThat(broken.toFile().setExecutable(true)).isTrue();
        Sandbox sandbox = Sandbox.find(Sandbox.Mode.AUTO, false, List.of(), folder, List.of(broken));
        assertThat(sandbox.works()).isFalse();
        assertThat(sandbox.report()).contains("no user namespaces");
    }
}
