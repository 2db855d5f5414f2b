package dev.gadget.code.drone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.code.account.TestPeople;
import dev.gadget.code.http.TestSocket;
import dev.gadget.model.DroneId;
import dev.gadget.model.Protocol;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.drone.HeldWork;
import dev.gadget.model.work.WorkEntry;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A drone as far as its socket goes: enrolled over HTTP, connected over a real WebSocket, told by the test what to say. */
public final class SimulatedDrone implements AutoCloseable {
    private static final String HOST = "host";
    private static final String DIRECTORY = "/home/ada/shop";

    private final ObjectMapper mapper;
    private final TestPeople.Person owner;
    private final WorkspaceId workspace;
    private final DroneId id;
    private final String credential;

    private TestSocket socket;
    private DroneCommand.@Nullable StartWorkOrder order;

    /** Enrolls one for this person and brings it to the point where it can take a turn. */
    public SimulatedDrone(ObjectMapper mapper, TestPeople.Person owner) throws Exception {
        this(mapper, owner, WorkspaceId.random());
    }

    /** The same, which says that this is its workspace. */
    SimulatedDrone(ObjectMapper mapper, TestPeople.Person owner, WorkspaceId workspace) throws Exception {
        this.mapper = mapper;
        this.owner = owner;
        this.workspace = workspace;
        String code = owner.request()
                .post("/api/v1/drones/enrolments")
                .then()
                .statusCode(201)
                .extract()
                .path("code");
        JsonPath enrolled = RestAssured.given()
                .contentType("application/json")
                .body(Map.of(
                        "code", code,
                        "name", "laptop",
                        "workspaceId", workspace.value(),
                        "hostname", HOST,
                        "workspaceDir", DIRECTORY))
                .post("/api/v1/drones/enrol")
                .then()
                .statusCode(201)
                .extract()
                .jsonPath();
        id = new DroneId(enrolled.getString("droneId"));
        credential = enrolled.getString("credential");
        socket = new TestSocket("/ws/drone", credential);
        hello(DIRECTORY, DroneStatus.AVAILABLE);
        // The welcome is said before all of the greeting is done; the answer to this comes after it.
        say(new DroneEvent.WorkOrderAccepted(WorkOrderId.random(), 1, 1));
        expect(DroneCommand.ReleaseWorkOrder.class);
    }

    private void hello(String directory, DroneStatus status, HeldWork... held) throws Exception {
        say(hello(Protocol.VERSION, directory, status, held));
        expect(DroneCommand.Welcome.class);
    }

    DroneEvent.Hello hello(int protocol, String directory, DroneStatus status, HeldWork... held) {
        return hello(protocol, workspace, directory, status, held);
    }

    static DroneEvent.Hello hello(
            int protocol, WorkspaceId workspace, String directory, DroneStatus status, HeldWork... held) {
        return new DroneEvent.Hello(protocol, "0.1.0", workspace, HOST, directory, "linux", status, List.of(held));
    }

    /** Dials in again and says that it holds this; what it says from there on belongs to what it held. */
    public void comeBack(DroneStatus status, HeldWork... held) throws Exception {
        socket = new TestSocket("/ws/drone", credential);
        hello(DIRECTORY, status, held);
        if (status != DroneStatus.STARTING) {
            await("settled", shown -> !"starting".equals(shown));
        }
    }

    /** The order that it took, as it holds it. */
    public HeldWork held(DroneCommand.OfferWorkOrder offer, long lastSeq, boolean running, boolean complete) {
        return new HeldWork(
                offer.workOrder().workOrderId(),
                offer.workOrder().turnId(),
                offer.attempt(),
                offer.fence(),
                lastSeq,
                running,
                complete);
    }

    String credential() {
        return credential;
    }

    public TestSocket socket() {
        return socket;
    }

    /** Goes on under this lease. */
    public void under(DroneCommand.RecoverWorkOrder decision) {
        order = new DroneCommand.StartWorkOrder(decision.workOrderId(), decision.attempt(), decision.fence());
    }

    public DroneId id() {
        return id;
    }

    public WorkspaceId workspace() {
        return workspace;
    }

    /** Takes the next offer, and begins. */
    public DroneCommand.OfferWorkOrder take() throws Exception {
        var offer = expect(DroneCommand.OfferWorkOrder.class);
        say(new DroneEvent.WorkOrderAccepted(offer.workOrder().workOrderId(), offer.attempt(), offer.fence()));
        order = expect(DroneCommand.StartWorkOrder.class);
        return offer;
    }

    /** Says these of the order that it took. */
    public void report(WorkEntry... entries) throws JsonProcessingException {
        say(reportOf(entries));
    }

    DroneEvent.WorkReported reportOf(WorkEntry... entries) {
        var taken = Objects.requireNonNull(order, "no order was taken");
        return new DroneEvent.WorkReported(taken.workOrderId(), taken.attempt(), taken.fence(), List.of(entries));
    }

    public void say(DroneEvent event) throws JsonProcessingException {
        socket.send(mapper.writerFor(DroneEvent.class).writeValueAsString(event));
    }

    /** The next command of this kind; heartbeats and acknowledgements before it do not matter. */
    public <C extends DroneCommand> C expect(Class<C> kind) throws Exception {
        for (; ; ) {
            DroneCommand command = mapper.readValue(socket.receive(), DroneCommand.class);
            if (kind.isInstance(command)) {
                return kind.cast(command);
            }
            assertThat(command)
                    .as("while a %s is awaited", kind.getSimpleName())
                    .isInstanceOfAny(
                            DroneCommand.Heartbeat.class,
                            DroneCommand.AcknowledgeWork.class,
                            DroneCommand.ReleaseWorkOrder.class,
                            DroneCommand.ForgetSession.class);
        }
    }

    /** Waits until its owner's list says this of it. */
    public void awaitStatus(String status) throws InterruptedException {
        await(status, status::equals);
    }

    private void await(String what, Predicate<String> wanted) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!wanted.test(
                owner.request().get("/api/v1/drones").path("items.find { it.id == '" + id + "' }.status"))) {
            assertThat(System.nanoTime()).as("it is %s in time", what).isLessThan(until);
            Thread.sleep(20);
        }
    }

    public void cut() {
        socket.cut();
    }

    @Override
    public void close() {
        socket.close();
    }
}
