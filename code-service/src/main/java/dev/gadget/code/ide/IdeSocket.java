package dev.gadget.code.ide;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.gadget.code.RefusedException;
import dev.gadget.code.account.Caller;
import dev.gadget.code.feed.ChangeJson;
import dev.gadget.code.socket.Pace;
import dev.gadget.code.socket.SocketEndpoint;
import dev.gadget.code.socket.SocketHandle;
import dev.gadget.code.socket.SocketListener;
import dev.gadget.code.socket.TaskLine;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.turn.TurnCommands;
import dev.gadget.code.turn.TurnFeed;
import dev.gadget.code.turn.Turns;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.TurnId;
import dev.gadget.model.api.SessionApi.DecideToolCall;
import dev.gadget.model.ide.IdeCommand;
import dev.gadget.model.ide.IdeEvent;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The page's socket. One command at a time per connection, answered in order. */
@ApplicationScoped
public class IdeSocket implements SocketEndpoint {
    private static final Logger LOG = Logger.getLogger(IdeSocket.class);

    private final IdeConnections connections;
    private final Turns turns;
    private final TurnCommands commands;
    private final SessionArchive sessions;
    private final ChangeJson json;
    private final Pace pace;
    private final ObjectReader reader;
    private final ObjectWriter writer;
    private final String version;

    IdeSocket(
            IdeConnections connections,
            Turns turns,
            TurnCommands commands,
            SessionArchive sessions,
            ChangeJson json,
            Pace pace,
            ObjectMapper mapper,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.connections = connections;
        this.turns = turns;
        this.commands = commands;
        this.sessions = sessions;
        this.json = json;
        this.pace = pace;
        this.reader = mapper.readerFor(IdeCommand.class);
        this.writer = mapper.writerFor(IdeEvent.class);
        this.version = version;
    }

    @Override
    public String path() {
        return "/ws/ide";
    }

    @Override
    public String role() {
        return "person";
    }

    @Override
    public SocketListener opened(SocketHandle socket, Caller caller) {
        var page = new IdeConnection(socket, caller, writer, json, pace);
        connections.add(page);
        var tasks = new TaskLine("page-" + caller.userId());
        return new SocketListener() {
            @Override
            public void said(String text) {
                if (!tasks.add(text.length(), () -> take(page, text))) {
                    page.close(IdeClose.SLOW);
                }
            }

            @Override
            public void failed(Throwable failure) {
                // A frame that is too large, for example. What comes after it cannot be trusted, so that the page
                // begins anew.
                LOG.debug("a connection of a page failed", failure);
                page.close(IdeClose.FRAME_INVALID);
            }

            @Override
            public void signedOut() {
                page.close(IdeClose.SIGNED_OUT);
            }

            @Override
            public void closed() {
                connections.remove(page);
            }
        };
    }

    private void take(IdeConnection page, String text) {
        if (page.over()) {
            return;
        }
        IdeCommand command;
        try {
            command = reader.readValue(text);
        } catch (JsonProcessingException e) {
            LOG.debugf("a page sent a message that is not one: %s", e.getOriginalMessage());
            page.closeAfterLast(
                    refused(FailureCode.FRAME_INVALID, "That is not a message of protocol " + Protocol.VERSION + "."),
                    IdeClose.FRAME_INVALID);
            return;
        }
        if (command instanceof IdeCommand.Hello hello) {
            hello(page, hello);
        } else if (page.greeted()) {
            handle(page, command);
        } else {
            page.closeAfterLast(
                    refused(FailureCode.FRAME_INVALID, "The first message has to be a hello."), IdeClose.FRAME_INVALID);
        }
    }

    private void hello(IdeConnection page, IdeCommand.Hello hello) {
        if (hello.protocolVersion() != Protocol.VERSION) {
            page.closeAfterLast(
                    refused(
                            FailureCode.PROTOCOL_MISMATCH,
                            "This service speaks protocol " + Protocol.VERSION + ", the page " + hello.protocolVersion()
                                    + ". Reload the page."),
                    IdeClose.PROTOCOL_MISMATCH);
            return;
        }
        connections.greet(
                page, new IdeEvent.Welcome(Protocol.VERSION, page.user(), version, Protocol.HEARTBEAT_SECONDS));
    }

    private void handle(IdeConnection page, IdeCommand command) {
        switch (command) {
            case IdeCommand.Hello _ -> throw new IllegalStateException("a hello was handled before");
            case IdeCommand.Ping _ -> page.tell(new IdeEvent.Pong());
            case IdeCommand.OpenSession open -> answer(page, open.requestId(), () -> open(page, open));
            case IdeCommand.CloseSession close ->
                answer(page, close.requestId(), () -> {
                    page.closeSession(close.sessionId());
                    return null;
                });
            case IdeCommand.FollowTurn follow ->
                answer(page, follow.requestId(), () -> {
                    page.follow(turns.feed(page.user(), follow.turnId()), follow.cursor());
                    return follow.turnId();
                });
            case IdeCommand.SubmitPrompt submit ->
                answer(
                        page,
                        submit.requestId(),
                        () -> commands.submit(
                                page.user(), submit.sessionId(), submit.prompt(), Optional.of(submit.requestId())));
            case IdeCommand.CancelTurn cancel ->
                answer(page, cancel.requestId(), () -> {
                    commands.cancel(page.user(), cancel.turnId());
                    return cancel.turnId();
                });
            case IdeCommand.DecideApproval decide ->
                answer(page, decide.requestId(), () -> {
                    commands.decide(
                            page.user(),
                            decide.turnId(),
                            decide.callId(),
                            new DecideToolCall(
                                    decide.decision(),
                                    decide.reason(),
                                    decide.shown(),
                                    decide.parameters(),
                                    decide.patterns()));
                    return decide.turnId();
                });
        }
    }

    private @Nullable TurnId open(IdeConnection page, IdeCommand.OpenSession open) {
        var session = sessions.find(page.user(), open.sessionId())
                .orElseThrow(() ->
                        new RefusedException(FailureCode.NOT_FOUND, "There is no session " + open.sessionId() + "."));
        page.open(session.id());
        TurnId running = session.runningTurnId();
        if (running != null) {
            TurnFeed feed = turns.feed(page.user(), running);
            page.followNew(feed);
        }
        return running;
    }

    private static void answer(IdeConnection page, String requestId, Supplier<@Nullable TurnId> action) {
        try {
            TurnId turn = action.get();
            page.tell(new IdeEvent.Answer(requestId, null, turn));
        } catch (RefusedException refused) {
            page.tell(new IdeEvent.Answer(requestId, refused.failure(), null));
        } catch (StoreException unavailable) {
            page.tell(new IdeEvent.Answer(
                    requestId,
                    new Failure(unavailable.code(), "The store does not answer now. Try again soon."),
                    null));
        } catch (RuntimeException failure) {
            LOG.errorf(failure, "a command of a page failed");
            page.tell(new IdeEvent.Answer(requestId, RefusedException.INTERNAL, null));
        }
    }

    private static IdeEvent refused(FailureCode code, String message) {
        return new IdeEvent.Refused(new Failure(code, message));
    }
}
