package dev.gadget.drone.provider;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers every request with the same bytes, for what the scripted provider cannot say. Keeps connections open. */
final class RawServer implements AutoCloseable {
    private final ServerSocket server;
    private final byte[] answer;
    private final Manner manner;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private enum Manner {
        ANSWERS,
        TALKS_FIRST,
        HANGS_UP
    }

    RawServer(byte[] answer) throws IOException {
        this(answer, Manner.ANSWERS);
    }

    /** Says it at once, whatever comes. */
    static RawServer talkingFirst(byte[] answer) throws IOException {
        return new RawServer(answer, Manner.TALKS_FIRST);
    }

    /** Closes the connection in the moment in which it said it. */
    static RawServer hangingUp(byte[] answer) throws IOException {
        return new RawServer(answer, Manner.HANGS_UP);
    }

    private RawServer(byte[] answer, Manner manner) throws IOException {
        this.manner = manner;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.answer = answer;
        Thread.ofPlatform().daemon().start(this::accept);
    }

    /** An answer with a body whose length is told. */
    static RawServer answering(String status, String headers, byte[] body) throws IOException {
        var all = new ByteArrayOutputStream();
        all.writeBytes(("HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        all.writeBytes(body);
        return new RawServer(all.toByteArray());
    }

    static RawServer answering(String status, String headers, String body) throws IOException {
        return answering(status, headers, body.getBytes(StandardCharsets.UTF_8));
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    int connections() {
        return sockets.size();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                Thread.ofPlatform().daemon().start(() -> serve(socket));
            }
        } catch (IOException e) {
            return; // closed
        }
    }

    private void serve(Socket socket) {
        try {
            if (manner == Manner.TALKS_FIRST) {
                socket.getOutputStream().write(answer);
                return;
            }
            while (read(socket.getInputStream())) {
                socket.getOutputStream().write(answer);
                if (manner == Manner.HANGS_UP) {
                    socket.close();
                    return;
                }
            }
        } catch (IOException e) {
            return; // the client left
        }
    }

    private static boolean read(InputStream input) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = input.read();
            if (next < 0) {
                return false;
            }
            head.append((char) next);
        }
        for (String line : head.toString().split("\r\n", -1)) {
            if (line.regionMatches(true, 0, "Content-Length: ", 0, 16)) {
                input.readNBytes(Integer.parseInt(line.substring(16)));
            }
        }
        return true;
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
