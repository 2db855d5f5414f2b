package dev.gadget.drone.agent;

import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.ChatMessage.RequestedCall;
import dev.gadget.drone.tool.Arguments;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.work.PastTurn;
import dev.gadget.model.work.WorkOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The messages that the model is given: instructions, earlier turns, the prompt, and what came of it so far. */
final class Conversation {
    private static final String PERSON_SPEAKS = "[The person says something.]";
    private static final String EMPTY = "[An empty response.]";
    private static final String CUT = "[A response that was cut.]";
    /** No rounds of the model: they keep the roles taking turns. */
    private static final Set<String> FILLERS = Set.of(PERSON_SPEAKS, EMPTY, CUT);

    private static final String LEFT_OUT =
            "\n\nEarlier parts of this conversation are left out here, because it became too long. What you miss of them, look up"
                    + " again or ask for.";

    /** In one message of earlier turns; endpoints refuse more than 128 for good. */
    private static final int MOST_CALLS = 64;

    private final List<ChatMessage> messages = new ArrayList<>();
    private final ContextWindow window;
    private final String prompt;
    private final Function<TurnId, String> toldBefore;
    private int current;

    Conversation(String instructions, WorkOrder order, ContextWindow window) {
        this(instructions, order, order.prompt(), turn -> "", window);
    }

    /**
     * With other words to the model than those of the person: the prompt, what it mentions, and what is told with it.
     *
     * @param toldBefore what was told with the prompts of earlier turns, as far as it is known
     */
    Conversation(
            String instructions,
            WorkOrder order,
            String prompt,
            Function<TurnId, String> toldBefore,
            ContextWindow window) {
        this.toldBefore = toldBefore;
        this.window = window;
        this.prompt = prompt;
        boolean leftOut = order.history().stream().anyMatch(turn -> Boolean.TRUE.equals(turn.leftOut()));
        messages.add(new ChatMessage.Instructions(leftOut ? instructions + LEFT_OUT : instructions));
        order.history().forEach(this::addPast);
        current = messages.size();
        messages.add(new ChatMessage.User(prompt));
    }

    /** As much of them as the model has room for. */
    List<ChatMessage> messages() {
        return window.fit(messages, current);
    }

    /** About how many tokens it has. */
    long tokens() {
        return ContextWindow.tokens(messages);
    }

    /** Whether it should be made shorter soon; first by what tools answered before, which is done here. */
    boolean nearlyFull() {
        if (!window.nearlyFull(messages)) {
            return false;
        }
        for (int i = 1; i < lastRound(); i++) {
            if (messages.get(i) instanceof ChatMessage.ToolAnswer answer) {
                messages.set(i, ContextWindow.shorter(answer));
            }
        }
        return window.nearlyFull(messages);
    }

    /** Whether there is something before the newest round and the prompt that a summary could stand for. */
    boolean canShrink() {
        return current > 1 || lastRound() > current + 1;
    }

    /** What was said and done so far but for the newest round, in words, within so many characters: of the oldest the least. */
    String transcript(int maxChars) {
        List<ChatMessage> past = messages.subList(1, lastRound());
        int each = Math.max(200, maxChars / Math.max(1, past.size()) * 2);
        StringBuilder text = new StringBuilder();
        past.forEach(message -> text.append(told(message, each)).append('\n'));
        return text.length() <= maxChars ? text.toString() : "…" + text.substring(text.length() - maxChars);
    }

    private static String told(ChatMessage message, int most) {
        String text = switch (message) {
            case ChatMessage.Instructions said -> said.text();
            case ChatMessage.User said -> "Person: " + said.text();
            case ChatMessage.Assistant said ->
                "You: " + said.text()
                        + said.calls().stream()
                                .map(call -> "\n[called " + call.name() + " " + call.arguments() + "]")
                                .collect(Collectors.joining());
            case ChatMessage.ToolAnswer answer -> "[" + answer.name() + " answered: " + answer.text() + "]";
        };
        return text.length() <= most
                ? text
                : text.substring(0, most / 2) + " … " + text.substring(text.length() - most / 2);
    }

    /** Where the newest round of this turn begins; the end when there is none. */
    private int lastRound() {
        return lastRound(current);
    }

    private int lastRound(int promptAt) {
        int at = messages.size();
        for (int i = at - 1; i > promptAt; i--) {
            if (messages.get(i) instanceof ChatMessage.Assistant said) {
                at = i;
                if (!FILLERS.contains(said.text())) {
                    break;
                }
            }
        }
        return at;
    }

    /** Puts a summary in the place of all before the newest round; the prompt of the turn stays as it is. */
    void compact(String summary) {
        current = startFrom(summary, prompt, current);
    }

    /** Keeps the prompt and the newest round of a turn after a summary; tells where the prompt is then. */
    private int startFrom(String summary, String said, int promptAt) {
        List<ChatMessage> newest = List.copyOf(messages.subList(lastRound(promptAt), messages.size()));
        startFrom(summary);
        int at = messages.size();
        messages.add(new ChatMessage.User(said));
        messages.addAll(newest);
        return at;
    }

    private void startFrom(String summary) {
        messages.subList(1, messages.size()).clear();
        messages.add(new ChatMessage.User(
                "This is a summary of our conversation so far, which became too long:\n\n" + summary));
        messages.add(ownWords("I have it, and go on from there."));
    }

    private static ChatMessage.Assistant ownWords(String text) {
        return new ChatMessage.Assistant(text, null, List.of());
    }

    /** What the model said in a round of this turn. */
    void assistant(String text, @Nullable String thinking, List<TurnCall> calls) {
        messages.add(new ChatMessage.Assistant(
                text, thinking, calls.stream().map(TurnCall::toRequested).toList()));
    }

    void answer(TurnCall call, String text) {
        messages.add(new ChatMessage.ToolAnswer(call.callId(), CallNames.sent(call.name()), text));
    }

    /** What the person said while the turn ran. Chat templates want the roles to take turns, and do not count calls and answers. */
    void said(String text) {
        boolean spoke = messages.getLast() instanceof ChatMessage.Assistant own
                && own.calls().isEmpty();
        if (!spoke) {
            messages.add(ownWords(PERSON_SPEAKS));
        }
        messages.add(new ChatMessage.User(text));
    }

    /** Asks a model that said nothing to say something. Chat templates want words of its own between those of the person. */
    void nudge() {
        messages.add(ownWords(EMPTY));
        messages.add(new ChatMessage.User(
                "Your last response was empty. Go on with the task by calling a tool, or say in words what you did."));
    }

    /** Tells a model whose response was cut in the middle of a call why nothing came of it. */
    void cut(String text, List<RequestedCall> calls) {
        String names = calls.stream()
                .map(call -> "`" + CallNames.sent(call.name()) + "`")
                .distinct()
                .collect(Collectors.joining(", "));
        messages.add(ownWords(text.isBlank() ? CUT : text));
        messages.add(
                new ChatMessage.User(
                        "Your last response was cut at the output limit in the middle of a tool call, so that"
                                + " nothing of what it called was run: " + names
                                + ". Go on in smaller parts: fewer calls in a response, and a long"
                                + " file in several calls, the first with its beginning and each further one with the next part."));
    }

    /** Thinking of earlier turns is left out, as models expect; so is text that was cut and said again. */
    private void addPast(PastTurn turn) {
        int promptAt = messages.size();
        messages.add(new ChatMessage.User(prompt(turn)));
        StringBuilder text = new StringBuilder();
        List<ToolCall> calls = new ArrayList<>();
        for (int i = 0; i < turn.blocks().size(); i++) {
            Block block = turn.blocks().get(i);
            if (newRound(turn.rounds(), i) || calls.size() == MOST_CALLS) {
                addRound(turn, text, calls);
            }
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
                case Block.Tool tool
                when tool.content().name().equals(Compaction.NAME) -> {
                    String summary = tool.content().response();
                    if (tool.content().state() == ToolCallState.DONE && summary != null) {
                        addRound(turn, text, calls);
                        promptAt = summarised(turn, summary, promptAt);
                    }
                }
                case Block.Prompt said -> {
                    addRound(turn, text, calls);
                    said(said.content());
                }
                // What the drone did before the first round is nothing that the model called.
                case Block.Tool tool when tool.content().name().equals(ProjectSetup.TOOL) -> {}
                case Block.Tool tool -> calls.add(tool.content());
            }
        }
        addRound(turn, text, calls);
        addEnd(turn);
    }

    /** The same as when it was new, but for what it mentions: an endpoint need not read again what it has read. */
    private String prompt(PastTurn turn) {
        return Mentions.past(turn.prompt()) + toldBefore.apply(turn.turnId());
    }

    private static boolean newRound(@Nullable List<Integer> rounds, int block) {
        return rounds != null && block > 0 && !rounds.get(block).equals(rounds.get(block - 1));
    }

    /** As the turn itself went on from it. The command that asks for a summary is no wish that the model has to know of. */
    private int summarised(PastTurn turn, String summary, int promptAt) {
        if (Compaction.command(turn.prompt()).isPresent()) {
            startFrom(summary);
            return messages.size() - 1;
        }
        return startFrom(summary, prompt(turn), promptAt);
    }

    private void addRound(PastTurn turn, StringBuilder text, List<ToolCall> calls) {
        if (text.isEmpty() && calls.isEmpty()) {
            return;
        }
        // Two responses without a call between them are one: chat templates want the roles to take turns.
        if (messages.getLast() instanceof ChatMessage.Assistant before
                && before.calls().isEmpty()) {
            messages.removeLast();
            text.insert(0, before.text() + "\n\n");
        }
        List<RequestedCall> requested = calls.stream()
                .map(call -> new RequestedCall(
                        call.callId(), CallNames.sent(call.name()), Arguments.write(call.parameters())))
                .toList();
        messages.add(new ChatMessage.Assistant(text.toString(), null, requested));
        for (ToolCall call : calls) {
            String response = call.response();
            messages.add(new ChatMessage.ToolAnswer(
                    call.callId(),
                    CallNames.sent(call.name()),
                    response == null ? "No result: the turn ended (" + name(turn.status()) + ") before." : response));
        }
        text.setLength(0);
        calls.clear();
    }

    /** Chat templates want an answer to each prompt, also where a turn was cut. */
    private void addEnd(PastTurn turn) {
        boolean spoke = messages.getLast() instanceof ChatMessage.Assistant;
        if (!spoke) {
            messages.add(ownWords("[This turn ended without a final answer: " + name(turn.status()) + ".]"));
        }
    }

    private static String name(TurnStatus status) {
        return status.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
