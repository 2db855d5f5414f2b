package dev.gadget.drone.link;

import dev.gadget.model.DroneId;
import dev.gadget.model.Protocol;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The other end of the link, on a plain socket: it can be cut, silent or unkind at any moment. */
final class FakeCodeService implements AutoCloseable {
    static final DroneId DRONE = DroneId.random();
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final ServerSocket listening;
    private final BlockingQueue<Peer> peers = new LinkedBlockingQueue<>();
    private volatile int refuseWith;
    private volatile String because = "";
    private volatile boolean once;
    private volatile CompletableFuture<Boolean> opens = CompletableFuture.completedFuture(true);

    FakeCodeService() throws IOException {
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(this::accept);
    }

    String address() {
        return "http://127.0.0.1:" + listening.getLocalPort();
    }

    /** Answers upgrades with this status. */
    void refuse(int status) {
        refuseWith = status;
    }

    /** The same, with these words. */
    void refuse(int status, String body) {
        because = body;
        refuse(status);
    }

    /** The same, but only the next one. */
    void refuseOnce(int status) {
        refuse(status);
        once = true;
    }

    /** Does not answer the next upgrade until this is done. */
    void hesitate(CompletableFuture<Boolean> until) {
        opens = until;
    }

    /** The next connection. */
    Peer next() throws InterruptedException {
        Peer peer = peers.poll(60, TimeUnit.SECONDS);
        if (peer == null) {
            throw new AssertionError("no drone connected");
        }
        return peer;
    }

    /** The next connection, greeted. */
    Peer welcome() throws InterruptedException {
        Peer peer = next();
        peer.welcome();
        return peer;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                Thread.ofPlatform().daemon().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            var in = new DataInputStream(socket.getInputStream());
            String head = head(in);
            String key = header(head, "Sec-WebSocket-Key");
            CompletableFuture<Boolean> until = opens;
            opens = CompletableFuture.completedFuture(true);
            until.join();
            int refusal = refuseWith;
            if (refusal != 0) {
                refuseWith = once ? 0 : refusal;
                socket.getOutputStream()
                        .write(("HTTP/1.1 " + refusal + " No\r\nContent-Length: " + because.length()
                                        + "\r\nConnection: close\r\n\r\n" + because)
                                .getBytes(StandardCharsets.US_ASCII));
                peers.add(new Peer(socket, header(head, "Authorization")));
                return;
            }
            socket.getOutputStream()
                    .write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                    + "Sec-WebSocket-Accept: " + accept(key) + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            var peer = new Peer(socket, header(head, "Authorization"));
            peers.add(peer);
            peer.read(in);
        } catch (IOException e) {
            // The drone is gone, or was cut off.
        }
    }

    private static String head(DataInputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        return head.toString();
    }

    private static String header(String head, String name) {
        for (String line : head.split("\r\n")) {
            if (line.regionMatches(true, 0, name + ":", 0, name.length() + 1)) {
                return line.substring(name.length() + 1).strip();
            }
        }
        return "";
    }

    private static String accept(String key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Peer peer : peers) {
            peer.cut();
        }
    }

    /** One connection of a drone. */
    static final class Peer {
        private final Socket socket;
        private final String authorization;
        private final BlockingQueue<DroneEvent> events = new LinkedBlockingQueue<>();
        private final CompletableFuture<Integer> closed = new CompletableFuture<>();
        private volatile CompletableFuture<Boolean> hears = CompletableFuture.completedFuture(true);

        Peer(Socket socket, String authorization) {
            this.socket = socket;
            this.authorization = authorization;
        }

        String authorization() {
            return authorization;
        }

        DroneEvent.Hello welcome() throws InterruptedException {
            var hello = await(DroneEvent.Hello.class);
            send(new DroneCommand.Welcome(
                    Protocol.VERSION,
                    DRONE,
                    "test",
                    Instant.now(),
                    Protocol.HEARTBEAT_SECONDS,
                    Protocol.LEASE_SECONDS));
            return hello;
        }

        /** The next event of this kind; others that came before it are passed over. */
        <T extends DroneEvent> T await(Class<T> kind) throws InterruptedException {
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (true) {
                DroneEvent event = events.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (event == null) {
                    throw new AssertionError("no " + kind.getSimpleName() + " came");
                }
                if (kind.isInstance(event)) {
                    return kind.cast(event);
                }
            }
        }

        /** The code with which the drone closed; 1006 when it just went. */
        int closeCode() throws Exception {
            return closed.get(60, TimeUnit.SECONDS);
        }

        synchronized void send(DroneCommand command) {
            try {
                frame(1, Samples.MAPPER.writerFor(DroneCommand.class).writeValueAsBytes(command));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Sends one frame in so many pieces, with a pause between them, as a slow line carries it. */
        synchronized void sendSlowly(DroneCommand command, int pieces, Duration pause) throws IOException {
            byte[] content = Samples.MAPPER.writerFor(DroneCommand.class).writeValueAsBytes(command);
            OutputStream out = socket.getOutputStream();
            out.write(head(1, content.length));
            for (int piece = 0; piece < pieces; piece++) {
                int from = (int) ((long) content.length * piece / pieces);
                int to = (int) ((long) content.length * (piece + 1) / pieces);
                out.write(content, from, to - from);
                LockSupport.parkNanos(pause.toNanos());
            }
        }

        synchronized void close(int code) throws IOException {
            frame(8, ByteBuffer.allocate(2).putShort((short) code).array());
        }

        /** Reads nothing after the next message, until it hears again. */
        void deafen() {
            hears = new CompletableFuture<>();
        }

        void hearAgain() {
            hears.complete(true);
        }

        /** Ends it without a word. */
        void cut() throws IOException {
            socket.close();
        }

        private void frame(int kind, byte[] content) throws IOException {
            OutputStream out = socket.getOutputStream();
            out.write(head(kind, content.length));
            out.write(content);
        }

        private static byte[] head(int kind, int length) {
            ByteBuffer head = ByteBuffer.allocate(10).put((byte) (0x80 | kind));
            if (length < 126) {
                head.put((byte) length);
            } else if (length < 65536) {
                head.put((byte) 126).putShort((short) length);
            } else {
                head.put((byte) 127).putLong(length);
            }
            return Arrays.copyOf(head.array(), head.position());
        }

        private void read(DataInputStream in) throws IOException {
            try {
                byte[] message = new byte[0];
                while (hears.join()) {
                    int first = in.readUnsignedByte();
                    byte[] part = unmasked(in);
                    switch (first & 0x0f) {
                        case 0, 1 -> {
                            int before = message.length;
                            message = Arrays.copyOf(message, before + part.length);
                            System.arraycopy(part, 0, message, before, part.length);
                            if ((first & 0x80) != 0) {
                                events.add(Samples.MAPPER.readValue(message, DroneEvent.class));
                                message = new byte[0];
                            }
                        }
                        case 8 -> {
                            closed.complete((int) ByteBuffer.wrap(part).getShort());
                            return;
                        }
                        default -> throw new IOException("an unexpected frame " + first);
                    }
                }
            } finally {
                closed.complete(1006);
            }
        }

        private static byte[] unmasked(DataInputStream in) throws IOException {
            int length = in.readUnsignedByte() & 0x7f;
            if (length == 126) {
                length = in.readUnsignedShort();
            } else if (length == 127) {
                length = Math.toIntExact(in.readLong());
            }
            if (length > Protocol.MAX_FRAME_BYTES) {
                throw new IOException("a frame of " + length + " bytes");
            }
            byte[] mask = new byte[4];
            in.readFully(mask);
            byte[] content = new byte[length];
            in.readFully(content);
            for (int i = 0; i < length; i++) {
                content[i] ^= mask[i & 3];
            }
            return content;
        }
    }
}
