package dev.gadget.code.drone;

import dev.gadget.code.audit.AuditLog;
import dev.gadget.code.session.SessionDeleted;
import dev.gadget.code.system.Door;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.api.AuditApi.AuditKind;
import dev.gadget.model.api.SystemApi.DoorKind;
import dev.gadget.model.api.SystemApi.DoorView;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.terminal.TerminalCommand;
import dev.gadget.model.terminal.TerminalEvent;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Brings pages and the terminals of their drones together. It decides whose terminal it is, which the session tells; whether there are
 * any is decided by the drone's owner, on the drone.
 */
@ApplicationScoped
class TerminalDesk implements Door {
    private final ConcurrentHashMap<String, TerminalView> views = new ConcurrentHashMap<>();
    private final WorkspaceDesk workspaces;
    private final AuditLog audit;

    TerminalDesk(WorkspaceDesk workspaces, AuditLog audit) {
        this.workspaces = workspaces;
        this.audit = audit;
    }

    void add(TerminalView view) {
        views.put(view.id(), view);
    }

    @Override
    public DoorView inUse() {
        return new DoorView(DoorKind.TERMINAL, views.size());
    }

    /** Refused when the session is not this person's, or its drone is not connected. */
    void open(TerminalView view, TerminalCommand.Open open) {
        WorkspaceDesk.Place place = workspaces.place(view.caller().userId(), open.sessionId());
        DroneConnection drone = place.drone();
        view.place(new TerminalView.Place(drone, open));
        audit.note(view.caller().userId(), AuditKind.TERMINAL_OPENED, open.terminalId(), "on drone " + drone.id());
        drone.send(new DroneCommand.TellTerminal(view.id(), open, place.project()));
        if (!views.containsKey(view.id())) {
            // It left meanwhile, and perhaps that was said before this.
            drone.send(new DroneCommand.LeaveTerminal(view.id()));
        }
    }

    /** A page that says more than its drone takes is cut off, not the drone. */
    void tell(TerminalView view, TerminalView.Place place, TerminalCommand command) {
        if (place.drone().crowded()) {
            view.close(TerminalClose.SLOW);
        } else {
            place.drone().send(new DroneCommand.TellTerminal(view.id(), command, null));
        }
    }

    /** The page is gone; its terminal waits for it on the drone for a while. */
    void left(TerminalView view) {
        view.closed();
        TerminalView.Place place = view.place();
        if (views.remove(view.id(), view) && place != null) {
            place.drone().send(new DroneCommand.LeaveTerminal(view.id()));
        }
    }

    void said(DroneConnection from, DroneEvent.TerminalSaid said) {
        if (said.event() instanceof TerminalEvent.Closed) {
            audit.note(from.owner(), AuditKind.TERMINAL_CLOSED, said.terminalId(), "on drone " + from.id());
        }
        String viewId = said.viewId();
        TerminalView view = viewId == null ? null : views.get(viewId);
        TerminalView.Place place = view == null ? null : view.place();
        if (view == null || place == null || place.drone() != from) {
            return;
        }
        switch (said.event()) {
            case TerminalEvent.Opened opened -> view.tell(opened);
            case TerminalEvent.Output output -> view.tell(output);
            case TerminalEvent.TerminalPong pong -> view.tell(pong);
            case TerminalEvent.Closed closed -> view.closeAfter(closed);
            case TerminalEvent.TerminalRefused refused -> view.closeAfter(refused);
        }
    }

    /** What this drone was to show it shows no more. */
    void left(DroneConnection connection) {
        for (TerminalView view : views.values()) {
            TerminalView.Place place = view.place();
            if (place != null && place.drone() == connection) {
                view.closeAfter(
                        new TerminalEvent.TerminalRefused(
                                new Failure(
                                        FailureCode.DRONE_LOST,
                                        "The connection to the drone was lost. The terminal goes on when it is back within five minutes.")));
            }
        }
    }

    /** Nothing goes on in a session that is gone. */
    void onDeleted(@Observes SessionDeleted deleted) {
        for (TerminalView view : views.values()) {
            TerminalView.Place place = view.place();
            if (place != null && place.open().sessionId().equals(deleted.session())) {
                tell(view, place, new TerminalCommand.Close());
            }
        }
    }

    void onStop(@Observes ShutdownEvent stopping) {
        views.values().forEach(view -> view.close(TerminalClose.GOING_DOWN));
    }

    @Scheduled(every = "5s")
    void look() {
        long now = System.nanoTime();
        for (TerminalView view : views.values()) {
            if (view.stalled()) {
                view.close(TerminalClose.SLOW);
            } else if (view.opensNothing(now)) {
                view.close(TerminalClose.NOT_OPENED);
            }
        }
    }
}
