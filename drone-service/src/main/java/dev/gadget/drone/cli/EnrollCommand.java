package dev.gadget.drone.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.workspace.Credential;
import dev.gadget.drone.workspace.WorkspaceStore;
import dev.gadget.drone.workspace.WorkspaceUnusableException;
import dev.gadget.model.api.DroneApi.EnrolDrone;
import dev.gadget.model.api.DroneApi.EnrolledDrone;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes the drone of this workspace known to a code service, once. */
@Command(
        name = "enroll",
        description = "Makes this workspace's drone known to a code service, once.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class)
public class EnrollCommand implements Callable<Integer> {
    private final ObjectMapper mapper;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    WorkspaceOption workspace = new WorkspaceOption();

    @Option(
            names = "--server",
            paramLabel = "URL",
            required = true,
            description = "the code service, for example https://gadget.example.org")
    String server = "";

    @Option(
            names = "--code",
            paramLabel = "CODE",
            description = "the enrolment code that the page shows; it works once")
    @Nullable
    String code;

    @Option(
            names = "--email",
            paramLabel = "EMAIL",
            description = "your account instead of a code; the password is asked for")
    @Nullable
    String email;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "what the drone is called in the page (default: host and directory)")
    @Nullable
    String name;

    EnrollCommand(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if ((code == null) == (email == null)) {
            return Failing.with(
                    spec, "Give either --code with an enrolment code from the page, or --email with your account.");
        }
        try {
            ServerAddress address = ServerAddress.parse(server);
            if (address.insecure()) {
                spec.commandLine()
                        .getErr()
                        .println("warning: " + address + " is not encrypted; the credential can be read on the way.");
            }
            WorkspaceStore store = WorkspaceStore.open(workspace.path(), mapper, Clock.systemUTC());
            EnrolledDrone enrolled = new Enrolment(mapper).at(address, request(store));
            store.enrolled(new Credential(
                    address.toString(),
                    enrolled.droneId(),
                    enrolled.credential(),
                    store.state().workspaceId()));
            out.println("Enrolled at " + address + " as drone " + enrolled.droneId()
                    + ". Start it with: gadget-drone run --workspace "
                    + store.folder().workspace());
            return 0;
        } catch (IllegalArgumentException | WorkspaceUnusableException | Enrolment.RefusedException e) {
            return Failing.with(spec, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return Failing.with(spec, "The credential cannot be written: " + e.getMessage());
        }
    }

    private EnrolDrone request(WorkspaceStore store) {
        String host = WorkspaceStore.hostname();
        String directory = store.folder().workspace().toString();
        String called = name == null ? host + ":" + store.folder().workspace().getFileName() : name;
        return new EnrolDrone(
                code,
                email,
                email == null ? null : password(),
                called,
                store.state().workspaceId(),
                host,
                directory);
    }

    private static String password() {
        String given = System.getenv("GADGET_PASSWORD");
        if (given != null && !given.isEmpty()) {
            return given;
        }
        Console console = System.console();
        char[] typed = console == null ? null : console.readPassword("Password: ");
        if (typed == null) {
            throw new IllegalArgumentException(
                    "There is no terminal to ask for the password; set GADGET_PASSWORD, or use --code.");
        }
        return new String(typed);
    }
}
