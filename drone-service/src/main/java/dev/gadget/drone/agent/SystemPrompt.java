package dev.gadget.drone.agent;

import dev.gadget.drone.policy.CommandSandbox;
import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.SafeFiles;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.work.WorkOrder;
import io.quarkus.runtime.annotations.RegisterResources;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What the model is told before the conversation: who it is, where it works, how its tools are used. */
@ApplicationScoped
@RegisterResources(globs = "dev/gadget/drone/agent/system-prompt.md")
public class SystemPrompt {
    private static final int MAX_NOTES = 32 * 1024;

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

    /** The prompt for this work order in this workspace. */
    String text(Workspace workspace, WorkOrder order) throws IOException {
        return template.replace("{facts}", WorkspaceFacts.of(workspace, order.createdAt()))
                        .replace("{policy}", policy(order.approvalPolicy()) + sandbox())
                        .strip()
                + notes(workspace);
    }

    private String sandbox() {
        return sandbox.get().works() ? " " + sandbox.get().report() : "";
    }

    private static String policy(ApprovalPolicy policy) {
        return switch (policy) {
            case ASK, AUTO_EDIT ->
                "Some calls wait until the person allows them. A call that is denied is not to be tried again.";
            case AUTO -> "Nobody is asked before a call runs, so be careful with what cannot be undone.";
            case READ_ONLY -> "This session is read-only: only look, then say what you would change and why.";
        };
    }

    /** What the repository says of itself is quoted, not obeyed: it is text of the workspace. */
    private static String notes(Workspace workspace) {
        byte[] bytes;
        try (SeekableByteChannel file = SafeFiles.open(workspace, workspace.toRead("AGENTS.md"))) {
            ByteBuffer read = ByteBuffer.allocate(MAX_NOTES);
            while (read.hasRemaining() && file.read(read) >= 0) {}
            bytes = Arrays.copyOf(read.array(), read.position());
        } catch (IOException | PathRefusedException e) {
            return "";
        }
        String text = new String(bytes, StandardCharsets.UTF_8).strip();
        return text.isEmpty()
                ? ""
                : "\n\n# Project notes\nThe workspace has an AGENTS.md. It tells how this project is worked on:\n<project_notes>\n"
                        + text.replace("</project_notes>", "") + (bytes.length == MAX_NOTES ? "\n… cut" : "")
                        + "\n</project_notes>";
    }
}
