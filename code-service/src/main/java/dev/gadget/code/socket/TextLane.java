package dev.gadget.code.socket;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.stream.ChunkedWriteHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The short way of text through a socket. A message that came in one frame is handed on as it came, and what is sent goes out at once:
 * for messages of a few words the general way costs more than the words. Parts of messages, pings and the end stay with Vert.x.
 */
final class TextLane extends ChannelInboundHandlerAdapter {
    private final ContextInternal context;
    private Handler<String> said = _ -> {};
    private Handler<@Nullable Void> saidPart = _ -> {};
    private Handler<@Nullable Void> saidAll = _ -> {};
    private @Nullable ChannelHandlerContext here;

    private TextLane(ContextInternal context) {
        this.context = context;
    }

    /** Lays it into a connection that has become a socket; to be called on the event loop of the socket. */
    static TextLane lay(HttpConnection socket, ContextInternal context) {
        var lane = new TextLane(context);
        // Each connection of Vert.x is one.
        var connection = (ConnectionBase) socket;
        ChannelPipeline pipeline = connection.channel().pipeline();
        // They watch over requests and send files: a socket is kept alive by its pings.
        remove(pipeline, IdleStateHandler.class);
        remove(pipeline, ChunkedWriteHandler.class);
        pipeline.addBefore(connection.channelHandlerContext().name(), null, lane);
        return lane;
    }

    /** Whom it tells each message, that a part of one came, and when there are no more for now, on the event loop. */
    void listen(Handler<String> each, Runnable part, Runnable all) {
        said = each;
        saidPart = _ -> part.run();
        saidAll = _ -> all.run();
    }

    private static void remove(ChannelPipeline pipeline, Class<? extends ChannelHandler> type) {
        if (pipeline.get(type) != null) {
            pipeline.remove(type);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        here = context;
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        if (message instanceof TextWebSocketFrame frame && frame.isFinalFragment()) {
            String text;
            try {
                text = frame.text();
            } finally {
                frame.release();
            }
            context.dispatch(text, said);
        } else {
            if (message instanceof TextWebSocketFrame || message instanceof ContinuationWebSocketFrame) {
                context.dispatch(null, saidPart);
            }
            from.fireChannelRead(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext from) {
        context.dispatch(null, saidAll);
        from.fireChannelReadComplete();
    }

    /** Sends one text message; done at once when it went out, as it mostly does. */
    ChannelFuture send(String text) {
        ChannelHandlerContext lane = lane();
        // In one go: a loop over the characters costs natively a call for each.
        byte[] utf8 = text.getBytes(UTF_8);
        ByteBuf content = lane.alloc().directBuffer(utf8.length).writeBytes(utf8);
        return lane.writeAndFlush(new TextWebSocketFrame(content));
    }

    private ChannelHandlerContext lane() {
        return Objects.requireNonNull(here, "laid before it is used");
    }
}
