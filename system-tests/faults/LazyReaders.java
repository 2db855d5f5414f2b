import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Readers with small receive buffers that ask for a stream and stop reading at once; they print their ports and wait. */
void main(String[] arguments) throws Exception {
    int port = Integer.parseInt(arguments[0]);
    String request = "GET " + arguments[1] + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nAccept: text/event-stream\r\nCookie: "
            + arguments[2] + "\r\n\r\n";
    List<Socket> sockets = new ArrayList<>();
    for (int reader = 0; reader < Integer.parseInt(arguments[3]); reader++) {
        var socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        sockets.add(socket);
        IO.println("port " + socket.getLocalPort());
    }
    Thread.currentThread().join();
}
