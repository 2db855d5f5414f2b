package dev.gadget.drone.link;

import dev.gadget.drone.checkpoint.Checkpoints;
import dev.gadget.drone.checkpoint.FilesRefusedException;
import dev.gadget.drone.git.GitFailedException;
import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.TurnFilesAction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.jboss.logging.Logger;

/** Shows, undoes and does again what a turn did to files. */
final class TurnFilesDesk {
    private static final Logger LOG = Logger.getLogger(TurnFilesDesk.class);
    private static final int MAX_TOLD = 200;

    private TurnFilesDesk() {}

    static DroneEvent.TurnFilesAnswered answer(Path directory, DroneCommand.RequestTurnFiles wanted) {
        String id = wanted.requestId();
        try {
            Checkpoints checkpoints = Checkpoints.of(new Workspace(directory));
            if (wanted.action() == TurnFilesAction.DIFF) {
                return new DroneEvent.TurnFilesAnswered(id, null, List.of(), checkpoints.diff(wanted.turnId()));
            }
            boolean undo = wanted.action() == TurnFilesAction.UNDO;
            List<String> files = checkpoints.restore(wanted.turnId(), undo, wanted.force());
            LOG.infof("turn %s: %s, %d files", wanted.turnId(), undo ? "undone" : "done again", files.size());
            return new DroneEvent.TurnFilesAnswered(id, null, shortened(files), null);
        } catch (FilesRefusedException e) {
            return failed(id, e.code(), String.valueOf(e.getMessage()), e.files());
        } catch (IOException | UncheckedIOException | GitFailedException | PathRefusedException e) {
            LOG.warnf(e, "the files of turn %s", wanted.turnId());
            return failed(id, FailureCode.WORKSPACE_UNUSABLE, "It did not work: " + e.getMessage(), List.of());
        }
    }

    private static DroneEvent.TurnFilesAnswered failed(String id, FailureCode code, String why, List<String> files) {
        return new DroneEvent.TurnFilesAnswered(id, new Failure(code, why), shortened(files), null);
    }

    private static List<String> shortened(List<String> files) {
        return files.subList(0, Math.min(MAX_TOLD, files.size()));
    }
}
