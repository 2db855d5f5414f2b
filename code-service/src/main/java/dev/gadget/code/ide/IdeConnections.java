package dev.gadget.code.ide;

import dev.gadget.code.drone.DroneStatusChanged;
import dev.gadget.code.drone.WorkspaceModeChanged;
import dev.gadget.code.session.SessionDeleted;
import dev.gadget.code.session.SessionUpdated;
import dev.gadget.code.store.DurabilityChanged;
import dev.gadget.code.system.Door;
import dev.gadget.code.turn.TurnBegan;
import dev.gadget.code.turn.TurnSaver;
import dev.gadget.code.turn.Turns;
import dev.gadget.model.UserId;
import dev.gadget.model.api.SystemApi.DoorKind;
import dev.gadget.model.api.SystemApi.DoorView;
import dev.gadget.model.ide.IdeEvent;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** All pages that are connected: brings each what concerns it. */
@ApplicationScoped
class IdeConnections implements Door {
    private final Set<IdeConnection> open = ConcurrentHashMap.newKeySet();
    private final Turns turns;
    private final TurnSaver saver;

    IdeConnections(Turns turns, TurnSaver saver) {
        this.turns = turns;
        this.saver = saver;
    }

    void add(IdeConnection connection) {
        open.add(connection);
    }

    void remove(IdeConnection connection) {
        open.remove(connection);
        connection.closed();
    }

    /** Welcomes a page, and tells it what it could not hear of before. */
    void greet(IdeConnection page, IdeEvent.Welcome welcome) {
        page.greet(welcome);
        synchronized (this) {
            page.tell(new IdeEvent.DurabilityChanged(saver.saved()));
        }
    }

    @Override
    public DoorView inUse() {
        return new DoorView(DoorKind.WEBSOCKET, (int) greeted().count());
    }

    void onTurn(@Observes TurnBegan began) {
        // Every page lists the session as running, by the name that its first prompt gave it.
        of(began.owner()).forEach(page -> page.tell(new IdeEvent.SessionChanged(began.session(), false)));
        of(began.owner()).filter(page -> page.shows(began.session())).forEach(page -> {
            page.tell(new IdeEvent.TurnStarted(began.session(), began.turn()));
            page.followNew(turns.feed(began.owner(), began.turn()));
        });
    }

    void onSession(@Observes SessionUpdated updated) {
        of(updated.owner()).forEach(page -> page.tell(new IdeEvent.SessionChanged(updated.session(), false)));
    }

    void onSession(@Observes SessionDeleted deleted) {
        of(deleted.owner()).forEach(page -> {
            page.closeSession(deleted.session());
            page.tell(new IdeEvent.SessionChanged(deleted.session(), true));
        });
    }

    void onDrone(@Observes DroneStatusChanged changed) {
        of(changed.owner()).forEach(page -> page.tell(new IdeEvent.DroneChanged(changed.drone(), changed.status())));
    }

    void onMode(@Observes WorkspaceModeChanged changed) {
        of(changed.owner())
                .forEach(page -> page.tell(new IdeEvent.WorkspaceModeChanged(changed.workspace(), changed.mode())));
    }

    // One at a time with the greetings: what is told last is what holds.
    synchronized void onDurability(@Observes DurabilityChanged changed) {
        greeted().forEach(page -> page.tell(new IdeEvent.DurabilityChanged(changed.saved())));
    }

    void onStop(@Observes ShutdownEvent stopping) {
        open.forEach(page -> page.close(IdeClose.GOING_DOWN));
    }

    @Scheduled(every = "5s")
    void look() {
        long now = System.nanoTime();
        for (IdeConnection page : open) {
            if (page.stalled()) {
                page.close(IdeClose.SLOW);
            } else if (page.saysNothing(now)) {
                page.close(IdeClose.NO_HELLO);
            }
        }
    }

    private Stream<IdeConnection> greeted() {
        return open.stream().filter(IdeConnection::greeted);
    }

    private Stream<IdeConnection> of(UserId user) {
        return greeted().filter(page -> page.user().equals(user));
    }
}
