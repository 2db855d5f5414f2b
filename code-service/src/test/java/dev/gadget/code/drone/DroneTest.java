package dev.gadget.code.drone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.code.store.StoreFixtures;
import dev.gadget.model.ProjectId;
import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;
import dev.gadget.model.drone.DroneCommand.ForgetSession;
import dev.gadget.model.drone.DroneCommand.RequestProcesses;
import dev.gadget.model.process.ProcessAction;
import dev.gadget.model.work.ProjectRef;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a drone is owed")
class DroneTest {
    private static ForgetSession gone(int number) {
        return new ForgetSession(
                new SessionId("gone-" + number), new ProjectRef(new ProjectId("p-1"), "shop", null, true));
    }

    @Test
    @DisplayName("it is kept until it is answered for, in its order; of very many the oldest are left out")
    void owed() {
        Drone drone = StoreFixtures.drone(UserId.random());
        for (int number = 1; number <= 250; number++) {
            drone = drone.owing(gone(number));
        }
        assertThat(drone.owed()).hasSize(200).startsWith(gone(51)).endsWith(gone(250));
        assertThat(drone.told(new SessionId("gone-100")).owed())
                .hasSize(199)
                .startsWith(gone(51))
                .doesNotContain(gone(100));
        assertThat(drone.told(new SessionId("another"))).isEqualTo(drone);
    }

    @Test
    @DisplayName(
            "a stop is owed once for each session until its own answer comes; of very many the oldest are left out")
    void stops() {
        Drone drone = StoreFixtures.drone(UserId.random());
        for (int number = 1; number <= 250; number++) {
            drone = drone.stopping(gone(number).sessionId());
        }
        drone = drone.stopping(new SessionId("gone-60"));
        assertThat(drone.stopping())
                .hasSize(200)
                .startsWith(new SessionId("gone-51"))
                .endsWith(new SessionId("gone-60"));
        assertThat(drone.toTell().skip(drone.owed().size()).findFirst())
                .contains(new RequestProcesses("stop-gone-51", new SessionId("gone-51"), ProcessAction.STOP_ALL, null));
        assertThat(drone.stopped("stop-gone-100").stopping()).hasSize(199).doesNotContain(new SessionId("gone-100"));
        assertThat(drone.stopped("stop-another")).isEqualTo(drone);
    }
}
