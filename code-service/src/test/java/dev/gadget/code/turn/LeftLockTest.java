package dev.gadget.code.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.code.account.TestPeople;
import dev.gadget.code.session.ChatSession;
import dev.gadget.code.session.TestSessions;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.TurnStatus;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@DisplayName("The lock of a session after a stop of the service")
class LeftLockTest {
    @Inject
    TestPeople people;

    @Inject
    SessionArchive sessions;

    @Inject
    TurnArchive turns;

    @Inject
    TurnStart starts;

    @Test
    @DisplayName("is given back when its turn has ended or is not there, and stays with a turn that goes on")
    void given() {
        TestPeople.Person ada = people.member();
        SessionId gone = TestSessions.session(ada);
        SessionId over = TestSessions.session(ada);
        SessionId running = TestSessions.session(ada);
        TurnRecord ended = stored(ada, over, true);
        TurnRecord going = stored(ada, running, false);
        assertThat(sessions.claim(gone, TurnId.random())).isTrue();
        assertThat(sessions.claim(over, ended.id())).isTrue();
        assertThat(sessions.claim(running, going.id())).isTrue();

        starts.onStart(new StartupEvent());

        assertThat(sessions.find(ada.id(), gone).orElseThrow().runningTurnId()).isNull();
        var last = sessions.find(ada.id(), over).orElseThrow();
        assertThat(last.runningTurnId()).isNull();
        assertThat(last.lastTurn())
                .isNotNull()
                .extracting(ChatSession.LastTurn::status)
                .isEqualTo(TurnStatus.FINISHED);
        assertThat(sessions.find(ada.id(), running).orElseThrow().runningTurnId())
                .isEqualTo(going.id());
    }

    private TurnRecord stored(TestPeople.Person owner, SessionId session, boolean ended) {
        TurnRecord fresh =
                TurnStart.fresh(sessions.find(owner.id(), session).orElseThrow(), TurnId.random(), "hello", "demo");
        var document = new TurnDocument(fresh, List.of());
        if (ended) {
            document.end(TurnStatus.FINISHED, null, TurnFixture.NOW);
        }
        TurnRecord record = document.toRecord(fresh);
        turns.insert(record);
        return record;
    }
}
