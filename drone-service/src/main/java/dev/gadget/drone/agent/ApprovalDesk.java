package dev.gadget.drone.agent;

import dev.gadget.drone.policy.ApprovalRules.Verdict;
import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.SessionGrants;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.tool.Arguments;
import dev.gadget.drone.tool.ParameterCheck;
import dev.gadget.drone.tool.Tool;
import dev.gadget.drone.tool.ToolFailedException;
import dev.gadget.drone.tool.ToolInvocation;
import dev.gadget.model.SessionId;
import dev.gadget.model.Sha256;
import dev.gadget.model.turn.ApprovalDecision;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Asks a person about a call: shows exactly what would run, and takes only an answer to that, once. */
final class ApprovalDesk {
    /** What came of it. */
    sealed interface Answer {
        /**
         * It may run with these parameters, which the person may have changed.
         *
         * @param patterns the commands that the session allows from now on
         */
        record Allowed(Map<String, Object> parameters, boolean changed, List<String> patterns) implements Answer {
            Allowed(Map<String, Object> parameters, boolean changed) {
                this(parameters, changed, List.of());
            }
        }

        /** It is not run, and what the model is told. */
        record Denied(String why) implements Answer {}
    }

    private static final int MAX_PREVIEW = 100_000;

    private final SessionGrants grants;
    private final SessionId session;
    private final WorkReport report;
    private final WorkOrderRunner.Approvals approvals;
    private final TurnClock clock;
    private final Duration patience;

    ApprovalDesk(
            SessionGrants grants,
            SessionId session,
            WorkReport report,
            WorkOrderRunner.Approvals approvals,
            TurnClock clock,
            Duration patience) {
        this.grants = grants;
        this.session = session;
        this.report = report;
        this.approvals = approvals;
        this.clock = clock;
        this.patience = patience;
    }

    /** Has this run when the person stops the call while it runs. */
    CancelSignal.Registration onStop(TurnCall call, Runnable stop) {
        return approvals.onStop(call.callId(), stop);
    }

    Answer ask(
            TurnCall call,
            Tool tool,
            Map<String, Object> parameters,
            Verdict.Ask ask,
            List<String> patterns,
            Function<Map<String, Object>, ToolInvocation> invocation)
            throws InterruptedException {
        if (!ask.always() && grants.allowed(session, call.name(), tool.scope(parameters))) {
            return new Answer.Allowed(parameters, false);
        }
        String reason = ask.reason();
        while (true) {
            Optional<String> preview = preview(tool, invocation.apply(parameters));
            String shown = hash(call, parameters, preview, patterns);
            report.toolAwaitsApproval(
                    call.callId(), reason, preview.orElse(null), shown, patterns.isEmpty() ? null : patterns);
            WorkOrderRunner.Decision said =
                    clock.paused(() -> approvals.await(call.callId(), clock.signal(), patience));
            if (clock.stopped()) {
                return new Answer.Denied(CallDesk.STOPPED);
            }
            if (said == null) {
                return new Answer.Denied("Nobody answered within " + patience.toMinutes()
                        + " minutes, so it was not run. Do not try it again; say what is left to do.");
            }
            if (said.decision() == ApprovalDecision.DENY) {
                return new Answer.Denied(tool.denial()
                        + (said.reason() == null || said.reason().isBlank() ? "." : ": " + said.reason())
                        + " Do not try it again; go on another way, or say what is needed.");
            }
            Map<String, Object> changed = said.parameters();
            List<String> given = Objects.requireNonNullElse(said.patterns(), List.of());
            boolean asShown = given.isEmpty() || given.equals(patterns) && said.shown() != null;
            if (!asShown || said.shown() != null && !said.shown().equals(shown)) {
                reason = "The answer was to something else than what is shown now. " + ask.reason();
            } else if (changed != null && !changed.equals(parameters)) {
                switch (ParameterCheck.check(tool, changed)) {
                    case ParameterCheck.Outcome.Fine fine -> {
                        return new Answer.Allowed(fine.parameters(), true);
                    }
                    case ParameterCheck.Outcome.Wrong wrong ->
                        reason = "It cannot run as you changed it: " + wrong.message();
                }
            } else if (!preview(tool, invocation.apply(parameters)).equals(preview)) {
                reason = "What it would change is no longer what was shown. " + ask.reason();
            } else {
                if (said.decision() != ApprovalDecision.APPROVE_FOR_SESSION) {
                    return new Answer.Allowed(parameters, false);
                }
                // What patterns cover is a matter of the session's rules, which a person can take back.
                if (given.isEmpty()) {
                    grants.allow(session, call.name(), tool.scope(parameters));
                }
                return new Answer.Allowed(parameters, false, given);
            }
        }
    }

    /** A call of which nothing can be told beforehand is shown by its parameters alone. */
    private static Optional<String> preview(Tool tool, ToolInvocation invocation) {
        try {
            return tool.preview(invocation)
                    .map(text -> text.length() <= MAX_PREVIEW
                            ? text
                            : text.substring(0, MAX_PREVIEW) + "\n… the change is longer than this …\n");
        } catch (IOException | ToolFailedException | PathRefusedException e) {
            return Optional.empty();
        }
    }

    private static String hash(
            TurnCall call, Map<String, Object> parameters, Optional<String> preview, List<String> patterns) {
        return Sha256.of(
                Arguments.write(List.of(call.callId(), call.name(), parameters, preview.orElse(""), patterns)));
    }
}
