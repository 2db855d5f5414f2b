package dev.gadget.code.drone;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.gadget.code.RefusedException;
import dev.gadget.code.account.Caller;
import dev.gadget.code.socket.SocketEndpoint;
import dev.gadget.code.socket.SocketHandle;
import dev.gadget.code.socket.SocketListener;
import dev.gadget.code.socket.TaskLine;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.terminal.TerminalCommand;
import dev.gadget.model.terminal.TerminalEvent;
import jakarta.enterprise.context.ApplicationScoped;
import org.jboss.logging.Logger;

/** A page and one terminal: apart from the page's other socket, so that neither waits for what the other shows. */
@ApplicationScoped
public class TerminalSocket implements SocketEndpoint {
    private static final Logger LOG = Logger.getLogger(TerminalSocket.class);

    private final TerminalDesk desk;
    private final ObjectReader reader;
    private final ObjectWriter writer;

    TerminalSocket(TerminalDesk desk, ObjectMapper mapper) {
        this.desk = desk;
        this.reader = mapper.readerFor(TerminalCommand.class);
        this.writer = mapper.writerFor(TerminalEvent.class);
    }

    @Override
    public String path() {
        return "/ws/terminal";
    }

    @Override
    public String role() {
        return "person";
    }

    @Override
    public SocketListener opened(SocketHandle socket, Caller caller) {
        var view = new TerminalView(socket, caller, writer);
        desk.add(view);
        var tasks = new TaskLine("terminal-" + view.id());
        return new SocketListener() {
            @Override
            public void said(String text) {
                if (!tasks.add(text.length(), () -> take(view, text))) {
                    view.close(TerminalClose.SLOW);
                }
            }

            @Override
            public void failed(Throwable failure) {
                LOG.debug("a connection of a page to a terminal failed", failure);
                view.close(TerminalClose.FRAME_INVALID);
            }

            @Override
            public void signedOut() {
                view.close(TerminalClose.SIGNED_OUT);
            }

            @Override
            public void closed() {
                tasks.addLast(() -> desk.left(view));
            }
        };
    }

    private void take(TerminalView view, String text) {
        if (view.over()) {
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
}
