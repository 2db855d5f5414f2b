package dev.gadget.drone.agent;

import dev.gadget.drone.policy.CommandSandbox;
import dev.gadget.drone.policy.LocalPolicy;
import dev.gadget.drone.policy.UnaskedReads;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.work.WorkOrder;
import io.quarkus.runtime.annotations.RegisterResources;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** What the model is told before the conversation: who it is, where it works, how its tools are used. */
@ApplicationScoped
@RegisterResources(globs = "dev/gadget/drone/agent/system-prompt.md")
public class SystemPrompt {
    private final String template;

    private final CommandSandbox sandbox;

    private final Path owners;

    @Inject
    public SystemPrompt(CommandSandbox sandbox) {
        this(sandbox, OwnersNotes.file(System.getenv(), Path.of(System.getProperty("user.home", "/"))));
    }

    /** With the notes of an owner in this file, for tests. */
    SystemPrompt(CommandSandbox sandbox, Path owners) {
        this.sandbox = sandbox;
        this.owners = owners;
        try (InputStream resource = SystemPrompt.class.getResourceAsStream("system-prompt.md")) {
            if (resource == null) {
                throw new IllegalStateException("system-prompt.md is not in the program");
            }
            template = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The prompt for this work order in this workspace: the same in each turn of a session, so that endpoints know it again. */
    String text(Workspace workspace, WorkOrder order) throws IOException {
        return template.replace("{facts}", WorkspaceFacts.of(workspace))
                        .replace("{policy}", policy(order.approvalPolicy()) + sandbox(workspace))
                        .strip()
                + notes(workspace, order);
    }

    /** All of them take about a quarter of a context at most, beside what each may take: what comes first leaves room, or none. */
    private String notes(Workspace workspace, WorkOrder order) {
        ModelProfile profile = order.profile();
        Integer tokens = profile == null ? null : profile.contextTokens();
        // A quarter of four characters a token.
        int room = tokens == null ? Integer.MAX_VALUE : tokens;
        String text = OwnersNotes.text(owners, room);
        UnaskedReads reads = reads(workspace, order, LocalPolicy.of(workspace.root()));
        text += ProjectNotes.atStart(reads, room - text.length());
        return text + Skills.atStart(reads, room - text.length());
    }

    /** What comes to the model of this work order unasked. */
    static UnaskedReads reads(Workspace workspace, WorkOrder order, LocalPolicy local) {
        return new UnaskedReads(workspace, Objects.requireNonNullElse(order.rules(), List.of()), local.rules());
    }

    private String sandbox(Workspace workspace) {
        if (!sandbox.get().works()) {
            return "";
        }
        return "\n- Commands run in a sandbox. They can write in the workspace only. `/tmp` is empty for each command and gone after"
                + " it: what a later one needs goes into the workspace. Of the home directory there is only what build tools need, to"
                + " read. "
                + network(workspace);
    }

    private String network(Workspace workspace) {
        if (!sandbox.get().closesNetwork()) {
            return "They have the network.";
        }
        List<String> hosts = LocalPolicy.of(workspace.root()).networkHosts();
        return hosts.isEmpty()
                ? "They have no network: nothing can be downloaded. Work with what is there; where a download is needed, tell the person the"
                        + " `gadget-drone network allow …` that the refusal names. Only they can run it."
                : "They have no network but " + String.join(", ", hosts)
                        + ", by HTTP and HTTPS through the proxy that is set.";
    }

    private static String policy(ApprovalPolicy policy) {
        return switch (policy) {
            case ASK, AUTO_EDIT ->
                "Some calls wait until the person allows them. A call that is denied is not to be tried again.";
            case AUTO -> "Nobody is asked before a call runs, so be careful with what cannot be undone.";
            case READ_ONLY -> "This session is read-only: only look, then say what you would change and why.";
        };
    }
}
