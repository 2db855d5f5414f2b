package dev.gadget.code.drone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.code.store.StoreFixtures;
import dev.gadget.model.ProjectId;
import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;
import dev.gadget.model.drone.DroneCommand.ForgetSession;
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
}
