package dev.gadget.code.drone;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.gadget.code.RefusedException;
import dev.gadget.code.account.Callers;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.terminal.TerminalCommand;
import dev.gadget.model.terminal.TerminalEvent;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.websockets.next.OnClose;
import io.quarkus.websockets.next.OnError;
import io.quarkus.websockets.next.OnOpen;
import io.quarkus.websockets.next.OnTextMessage;
import io.quarkus.websockets.next.WebSocket;
import io.quarkus.websockets.next.WebSocketConnection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/** A page and one terminal: apart from the page's other socket, so that neither waits for what the other shows. */
@WebSocket(path = "/ws/terminal")
@RolesAllowed("person")
public class TerminalSocket {
    private static final Logger LOG = Logger.getLogger(TerminalSocket.class);

    private final ConcurrentHashMap<String, TerminalView> open = new ConcurrentHashMap<>();
    private final SecurityIdentity identity;
    private final TerminalDesk desk;
    private final ObjectReader reader;
    private final ObjectWriter writer;

    TerminalSocket(SecurityIdentity identity, TerminalDesk desk, ObjectMapper mapper) {
        this.identity = identity;
        this.desk = desk;
        this.reader = mapper.readerFor(TerminalCommand.class);
        this.writer = mapper.writerFor(TerminalEvent.class);
    }

    @OnOpen
    @RunOnVirtualThread
    void opened(WebSocketConnection socket) {
        TerminalView view = new TerminalView(socket, Callers.of(identity), writer);
        open.put(socket.id(), view);
        desk.add(view);
    }

    @OnTextMessage
    @RunOnVirtualThread
    void said(String text, WebSocketConnection socket) {
        TerminalView view = open.get(socket.id());
        if (view == null || view.over()) {
            return;
        }
        TerminalCommand command;
        try {
            command = reader.readValue(text);
        } catch (JsonProcessingException e) {
            LOG.debugf("a page sent a terminal a message that is not one: %s", e.getOriginalMessage());
            view.close(TerminalClose.FRAME_INVALID);
            return;
        }
        TerminalView.Place place = view.place();
        switch (command) {
            case TerminalCommand.Open first when place == null -> open(view, first);
            case TerminalCommand.TerminalPing _ -> view.tell(new TerminalEvent.TerminalPong());
            case TerminalCommand.Open _,
                    TerminalCommand.Input _,
                    TerminalCommand.Resize _,
                    TerminalCommand.Acknowledge _,
                    TerminalCommand.Close _ -> {
                if (place == null || command instanceof TerminalCommand.Open) {
                    view.close(TerminalClose.FRAME_INVALID);
                } else {
                    desk.tell(view, place, command);
                }
            }
        }
    }

    private void open(TerminalView view, TerminalCommand.Open wanted) {
        if (wanted.protocolVersion() != Protocol.VERSION) {
            refuse(
                    view,
                    FailureCode.PROTOCOL_MISMATCH,
                    "This service speaks protocol " + Protocol.VERSION + ", the page " + wanted.protocolVersion()
                            + ". Reload the page.");
            return;
        }
        try {
            desk.open(view, wanted);
        } catch (RefusedException refused) {
            view.closeAfter(new TerminalEvent.TerminalRefused(refused.failure()));
        } catch (StoreException unavailable) {
            refuse(view, unavailable.code(), "The store does not answer now. Try again soon.");
        }
    }

    private static void refuse(TerminalView view, FailureCode code, String why) {
        view.closeAfter(new TerminalEvent.TerminalRefused(new Failure(code, why)));
    }

    @OnClose
    @RunOnVirtualThread
    void closed(WebSocketConnection socket) {
        TerminalView view = open.remove(socket.id());
        if (view != null) {
            desk.left(view);
        }
    }

    @OnError
    void failed(Throwable failure, WebSocketConnection socket) {
        LOG.debugf(failure, "connection %s of a page to a terminal failed", socket.id());
        TerminalView view = open.get(socket.id());
        if (view != null) {
            view.close(TerminalClose.FRAME_INVALID);
        }
    }
}
