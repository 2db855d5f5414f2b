package dev.gadget.code.system;

import dev.gadget.code.turn.LiveTurns;
import dev.gadget.memory.SpareMemory;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;

/** Gives back what the start, or many turns, left in memory, while no turn is under way. */
@ApplicationScoped
class IdleMemory {
    private final LiveTurns turns;
    private final SpareMemory spare = new SpareMemory();

    IdleMemory(LiveTurns turns) {
        this.turns = turns;
    }

    @Scheduled(every = "20s", delayed = "1s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void look() {
        if (turns.all().stream().allMatch(turn -> turn.status().ended())) {
            spare.giveBack();
        }
    }
}
