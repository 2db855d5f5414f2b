package dev.gadget.drone.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.model.ProjectId;
import dev.gadget.model.Protocol;
import dev.gadget.model.SessionId;
import dev.gadget.model.TerminalId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.terminal.TerminalCommand;
import dev.gadget.model.terminal.TerminalEvent;
import dev.gadget.model.work.ProjectRef;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A terminal over a real socket that is cut. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class TerminalOverTheLinkTest {
    private static final TerminalId ID = TerminalId.random();

    @TempDir
    Path directory;

    private static void open(FakeCodeService.Peer peer, String view, long offset) {
        tell(peer, view, new TerminalCommand.Open(Protocol.VERSION, new SessionId("s-1"), ID, 80, 24, offset));
    }

    private static void tell(FakeCodeService.Peer peer, String view, TerminalCommand command) {
        peer.send(new DroneCommand.TellTerminal(view, command, null));
    }

    private static String until(FakeCodeService.Peer peer, String view, String wanted) throws InterruptedException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(wanted) < 0) {
            var said = peer.await(DroneEvent.TerminalSaid.class);
            assertThat(said.viewId()).isEqualTo(view);
            if (said.event() instanceof TerminalEvent.Output output) {
                text.append(output.text());
            }
        }
        return text.toString();
    }

    @Test
    @DisplayName("it starts where its session works")
    void startsWhereTheSessionWorks() throws Exception {
        Path shop = Files.createDirectories(directory.toRealPath().resolve("shop"));
        var project = new ProjectRef(ProjectId.random(), "shop", "https://git.example.org/shop.git", null);
        try (var service = new FakeCodeService();
                var drone = RunningDrone.in(directory, service, (_, _, _, _, _) -> {})) {
            var peer = service.welcome();
            peer.send(new DroneCommand.TellTerminal(
                    "v", new TerminalCommand.Open(Protocol.VERSION, new SessionId("s-1"), ID, 80, 24, 0), project));
            tell(peer, "v", new TerminalCommand.Input("PS1=; echo in-$(basename \"$PWD\")-$((1 + 1))\r"));
            assertThat(until(peer, "v", "-2\r\n")).contains("in-" + shop.getFileName() + "-2");
            drone.stop();
        }
    }

    @Test
    @DisplayName("it outlives the connection, goes on over the next, and ends with the drone")
    void outlives() throws Exception {
        String pid;
        try (var service = new FakeCodeService();
                var drone = RunningDrone.in(directory, service, (_, _, _, _, _) -> {})) {
            var first = service.welcome();
            open(first, "v", 0);
            tell(first, "v", new TerminalCommand.Input("PS1=; echo pid-$$-$((1 + 1))\r"));
            String shown = until(first, "v", "-2\r\n");
            pid = shown.replaceAll("(?s).*pid-(\\d+)-2.*", "$1");
            first.cut();

            var second = service.welcome();
            open(second, "w", 0);
            assertThat(until(second, "w", "-2\r\n")).contains("pid-" + pid + "-2");
            tell(second, "w", new TerminalCommand.Input("echo again-$$-$((1 + 1))\r"));
            assertThat(until(second, "w", "again-" + pid + "-2")).isNotEmpty();
            assertThat(ProcessHandle.of(Long.parseLong(pid))).isPresent();
            drone.stop();
        }

        assertThat(ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive))
                .isEmpty();
    }
}
