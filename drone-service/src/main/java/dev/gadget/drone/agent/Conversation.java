package dev.gadget.drone.agent;

import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.ChatMessage.RequestedCall;
import dev.gadget.drone.tool.Arguments;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.work.PastTurn;
import dev.gadget.model.work.WorkOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The messages that the model is given: instructions, earlier turns, the prompt, and what came of it so far. */
final class Conversation {
    private final List<ChatMessage> messages = new ArrayList<>();
    private final ContextWindow window;
    private final int current;

    Conversation(String instructions, WorkOrder order, ContextWindow window) {
        this.window = window;
        messages.add(new ChatMessage.Instructions(instructions));
        order.history().forEach(this::addPast);
        current = messages.size();
        messages.add(new ChatMessage.User(order.prompt()));
    }

    /** As much of them as the model has room for. */
    List<ChatMessage> messages() {
        return window.fit(messages, current);
    }

    /** What the model said in a round of this turn. */
    void assistant(String text, @Nullable String thinking, List<TurnCall> calls) {
        messages.add(new ChatMessage.Assistant(
                text, thinking, calls.stream().map(TurnCall::toRequested).toList()));
    }

    void answer(TurnCall call, String text) {
        messages.add(new ChatMessage.ToolAnswer(call.callId(), call.name(), text));
    }

    /** Asks a model that said nothing to say something. */
    void nudge() {
        messages.add(new ChatMessage.User(
                "Your last response was empty. Go on with the task by calling a tool, or say in words what you did."));
    }

    /** Thinking of earlier turns is left out, as models expect; so is text that was cut and said again. */
    private void addPast(PastTurn turn) {
        messages.add(new ChatMessage.User(turn.prompt()));
        StringBuilder text = new StringBuilder();
        List<ToolCall> calls = new ArrayList<>();
        for (Block block : turn.blocks()) {
            if (Boolean.TRUE.equals(block.superseded())) {
                continue;
            }
            switch (block) {
                case Block.Thinking thinking -> {}
                case Block.Responding said -> {
                    if (!calls.isEmpty()) {
                        addRound(turn, text, calls);
                    }
                    text.append(said.content());
                }
                // What the drone did before the first round is nothing that the model called.
                case Block.Tool tool when tool.content().name().equals(ProjectSetup.TOOL) -> {}
                case Block.Tool tool -> calls.add(tool.content());
            }
        }
        if (!text.isEmpty() || !calls.isEmpty()) {
            addRound(turn, text, calls);
        }
        addEnd(turn);
    }

    private void addRound(PastTurn turn, StringBuilder text, List<ToolCall> calls) {
        List<RequestedCall> requested = calls.stream()
                .map(call -> new RequestedCall(call.callId(), call.name(), Arguments.write(call.parameters())))
                .toList();
        messages.add(new ChatMessage.Assistant(text.toString(), null, requested));
        for (ToolCall call : calls) {
            String response = call.response();
            messages.add(new ChatMessage.ToolAnswer(
                    call.callId(),
                    call.name(),
                    response == null ? "No result: the turn ended (" + name(turn.status()) + ") before." : response));
        }
        text.setLength(0);
        calls.clear();
    }

    /** Chat templates want an answer to each prompt, also where a turn was cut. */
    private void addEnd(PastTurn turn) {
        boolean spoke = messages.getLast() instanceof ChatMessage.Assistant;
        if (!spoke) {
            messages.add(new ChatMessage.Assistant(
                    "[This turn ended without a final answer: " + name(turn.status()) + ".]", null, List.of()));
        }
    }

    private static String name(TurnStatus status) {
        return status.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
