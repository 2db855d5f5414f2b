package dev.gadget.drone.agent;

import dev.gadget.drone.policy.CommandSandbox;
import dev.gadget.drone.policy.LocalPolicy;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.work.WorkOrder;
import io.quarkus.runtime.annotations.RegisterResources;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What the model is told before the conversation: who it is, where it works, how its tools are used. */
@ApplicationScoped
@RegisterResources(globs = "dev/gadget/drone/agent/system-prompt.md")
public class SystemPrompt {
    private final String template;

    private final CommandSandbox sandbox;

    public SystemPrompt(CommandSandbox sandbox) {
        this.sandbox = sandbox;
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
                + ProjectNotes.atStart(workspace, room(order));
    }

    /** Notes take about a quarter of a context at most. */
    private static int room(WorkOrder order) {
        ModelProfile profile = order.profile();
        Integer tokens = profile == null ? null : profile.contextTokens();
        return tokens == null ? ProjectNotes.MOST_AT_START : Math.min(ProjectNotes.MOST_AT_START, tokens);
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
                ? "They have no network: nothing can be downloaded, so work with what is there, and say what is missing."
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
