package dev.gadget.code.turn;

import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.SessionApi.DecideToolCall;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a person can do with turns. Every refusal is a {@code RefusedException}; nothing is stored then. */
public interface TurnCommands {
    /**
     * Starts a turn: takes the session's lock, stores the turn, and offers it to a drone. While the session or its drone works,
     * the prompt waits when the session's setting says so. Refused as {@code not_found}, {@code prompt_too_long},
     * {@code invalid_field}, {@code turn_running}, {@code no_drone}, {@code drone_busy} or {@code quota_reached}.
     *
     * @param key the same key for the same session gives the same turn, for as long as the service remembers it (an hour at most)
     */
    TurnId submit(UserId owner, SessionId session, String prompt, Optional<String> key);

    /** Gives a prompt that waits other words. Refused as {@code turn_running} or {@code turn_ended} when it waits no more. */
    void change(UserId owner, TurnId turn, String prompt);

    /**
     * Moves a prompt that waits in front of another one of its session, or to the end. Refused like {@link #change}, and as
     * {@code invalid_field} when the other one does not wait there.
     */
    void move(UserId owner, TurnId turn, @Nullable TurnId before);

    /** Takes a prompt that waits back, as if it had never been sent. Refused like {@link #change}. */
    void remove(UserId owner, TurnId turn);

    /**
     * Has a prompt that waits told to the turn that runs in its session, at the end of that turn's present round. It goes on waiting until
     * the turn has it, and begins by itself when the turn ends before. Refused like {@link #change}, as {@code conflict} when no turn
     * runs, {@code prompt_too_long}, or {@code drone_lost} while the turn's drone is away.
     */
    void steer(UserId owner, TurnId turn);

    /** Stops a turn; of one that has ended already nothing changes. Refused as {@code not_found}. */
    void cancel(UserId owner, TurnId turn);

    /**
     * Stops one tool call that runs, also one of a subagent; the turn goes on. Of one that is over nothing changes. Refused as
     * {@code not_found}, {@code conflict} when it has not begun, or {@code drone_lost} while the turn's drone is away.
     */
    void stopCall(UserId owner, TurnId turn, String callId);

    /**
     * Answers a tool call that waits, also while its drone is away: the answer is kept with the turn until the drone tells what came of
     * it. The same again changes nothing. Refused as {@code not_found}, {@code conflict} when it does not wait (any more) or was answered
     * otherwise, or {@code changed_meanwhile} when the answer is to something else than what is asked now.
     */
    void decide(UserId owner, TurnId turn, String callId, DecideToolCall decision);
}
