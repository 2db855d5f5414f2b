package dev.gadget.drone.link;

import dev.gadget.drone.agent.WorkOrderRunner;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkOrder;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Has the model name a session after one of its first turns. Nobody waits for it: the next turn ends the question. */
final class TitleDesk {
    private static final Logger LOG = Logger.getLogger(TitleDesk.class);

    private final WorkOrderRunner agent;
    private final Consumer<DroneEvent> say;
    private @Nullable CancelSignal asking;

    TitleDesk(WorkOrderRunner agent, Consumer<DroneEvent> say) {
        this.agent = agent;
        this.say = say;
    }

    /** Asks for a title for the session of this turn, which used so much. */
    synchronized void ask(WorkOrder order, Usage used) {
        stop();
        CancelSignal cancel = new CancelSignal();
        asking = cancel;
        Thread.ofVirtual().name("title").start(() -> {
            try {
                agent.title(order, used, cancel)
                        .filter(_ -> !cancel.cancelled())
                        .ifPresent(title -> say.accept(
                                new DroneEvent.SessionTitled(order.chatSessionId(), title.words(), title.usage())));
            } catch (RuntimeException e) {
                // Where nobody wants it any more, the drone may be going down.
                LOG.logf(
                        cancel.cancelled() ? Logger.Level.DEBUG : Logger.Level.WARN,
                        e,
                        "session %s keeps its name",
                        order.chatSessionId());
            }
        });
    }

    /** A model that serves one request at a time is wanted for something else. */
    synchronized void stop() {
        CancelSignal current = asking;
        asking = null;
        if (current != null) {
            current.cancelApart("title-stop");
        }
    }
}
