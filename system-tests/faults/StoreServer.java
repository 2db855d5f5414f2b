import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/** A MongoDB-compatible store as a process of its own, for faults that befall a store: it answers until it is ended. */
void main(String[] arguments) throws InterruptedException {
    var server = new MongoServer(new MemoryBackend());
    server.bind("127.0.0.1", Integer.parseInt(arguments[0]));
    IO.println("ready");
    Thread.currentThread().join();
}
