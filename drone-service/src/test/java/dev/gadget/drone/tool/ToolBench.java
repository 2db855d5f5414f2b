package dev.gadget.drone.tool;

import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

/** Runs tools in a directory as the agent does: parameters checked, refusals told. */
final class ToolBench {
    final Workspace workspace;
    final CancelSignal cancel = new CancelSignal();
    final StringBuffer output = new StringBuffer();

    ToolBench(Path directory) {
        try {
            workspace = new Workspace(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ToolInvocation call(Tool tool, Map<String, Object> parameters) {
        return switch (ParameterCheck.check(tool, parameters)) {
            case ParameterCheck.Outcome.Fine fine ->
                new ToolInvocation("c", fine.parameters(), workspace, output::append, cancel);
            case ParameterCheck.Outcome.Wrong wrong -> throw new ToolFailedException(wrong.message());
        };
    }

    ToolResult run(Tool tool, Map<String, Object> parameters) throws IOException, InterruptedException {
        try {
            return tool.run(call(tool, parameters));
        } catch (ToolFailedException | PathRefusedException e) {
            return ToolResult.failed(String.valueOf(e.getMessage()));
        }
    }
}
