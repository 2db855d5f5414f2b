package dev.gadget.drone.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What the person says into a turn that runs: taken between two rounds, reported, and told to the model. */
final class Steering {
    private final WorkOrderRunner.Approvals person;
    private final WorkReport report;
    private final UnaryOperator<String> expanded;

    /** @param expanded what the model is told for what the person said: also what it mentions */
    Steering(WorkOrderRunner.Approvals person, WorkReport report, UnaryOperator<String> expanded) {
        this.person = person;
        this.report = report;
        this.expanded = expanded;
    }

    /** Of work that nobody speaks to. */
    static Steering none(WorkReport report) {
        return new Steering((_, _, _) -> null, report, said -> said);
    }

    /** All that was said since the last time; when this returns it survives a crash. */
    List<WorkOrderRunner.Said> take() {
        List<WorkOrderRunner.Said> taken = new ArrayList<>();
        for (Optional<WorkOrderRunner.Said> next = person.nextPrompt(); next.isPresent(); next = person.nextPrompt()) {
            report.prompted(next.get().promptId(), next.get().text());
            taken.add(next.get());
        }
        return taken;
    }

    String toModel(WorkOrderRunner.Said said) {
        return expanded.apply(said.text());
    }
}
