package dev.gadget.code.turn;

import dev.gadget.model.TurnId;
import dev.gadget.model.turn.Block;
import dev.gadget.model.turn.ToolCall;
import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.work.PastTurn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a drone is told of the turns before: all since the last summary that the model made of them. What is too much for one message
 * is told the more shortly the older it is, and of the oldest nothing, which the drone is told as well.
 */
final class TurnHistory {
    /** The call whose answer stands for all before it; the drone goes on from it in the same way. */
    private static final String SUMMARY = "compact_context";

    private static final int ANSWER_CHARS = 8_000;
    private static final int OLDER_CHARS = 1_000;
    private static final int OLDEST_CHARS = 200;
    /** Of what a person or the model said, which says more than what tools did. */
    private static final int SAID_CHARS = 32_000;
    /** Of each block, its ids, times and names. */
    private static final int AROUND_A_BLOCK = 250;
    /** Of what is longer than this many times the limit nothing will fit: it is not even read. */
    private static final int READ_TIMES = 8;

    private final long most;
    private long taken;
    private boolean full;

    private TurnHistory(long most) {
        this.most = most;
    }

    /**
     * The earlier turns, oldest first, in about so many bytes at most.
     *
     * @param blocks the own ones of a turn: of a subagent the model knows what came of it, which is the answer of a call
     */
    static List<PastTurn> of(List<TurnRecord> earlier, Function<TurnId, List<StoredBlock>> blocks, long most) {
        List<Known> newestFirst = new ArrayList<>();
        long size = 0;
        boolean whole = true;
        for (TurnRecord turn : earlier.reversed()) {
            if (size > READ_TIMES * most) {
                whole = false;
                break;
            }
            Known known = Known.of(turn, blocks.apply(turn.id()));
            newestFirst.add(known);
            size += known.size();
            if (known.summary() != null) {
                break;
            }
        }
        return size <= most
                ? newestFirst.reversed().stream()
                        .map(known -> known.past(known.turn().prompt(), known.blocks(), null))
                        .toList()
                : new TurnHistory(most).shortened(newestFirst, whole);
    }

    /** A turn as the model knows it; with a summary, only what came after it and the round before. */
    private record Known(
            TurnRecord turn,
            List<StoredBlock> blocks,
            @Nullable StoredBlock summary) {
        static Known of(TurnRecord turn, List<StoredBlock> stored) {
            Optional<StoredBlock> summary =
                    stored.reversed().stream().filter(Known::isSummary).findFirst();
            int from = summary.map(found -> roundBefore(stored.subList(0, stored.indexOf(found))))
                    .orElse(0);
            List<StoredBlock> blocks = stored.stream()
                    .filter(block -> block.round() >= from)
                    .filter(block -> !(block.block() instanceof Block.Thinking
                            || Boolean.TRUE.equals(block.block().superseded())))
                    .map(block -> cut(block, ANSWER_CHARS, Integer.MAX_VALUE, Integer.MAX_VALUE))
                    .toList();
            return new Known(
                    turn,
                    blocks,
                    blocks.reversed().stream()
                            .filter(Known::isSummary)
                            .findFirst()
                            .orElse(null));
        }

        private static boolean isSummary(StoredBlock stored) {
            return stored.block() instanceof Block.Tool tool
                    && tool.content().name().equals(SUMMARY)
                    && tool.content().state() == ToolCallState.DONE
                    && tool.content().response() != null;
        }

        private static int roundBefore(List<StoredBlock> before) {
            return before.stream()
                    .filter(stored -> !Boolean.TRUE.equals(stored.block().superseded()))
                    .mapToInt(StoredBlock::round)
                    .max()
                    .orElse(0);
        }

        long size() {
            return bytes(turn.prompt())
                    + AROUND_A_BLOCK
                    + blocks.stream().mapToLong(TurnHistory::size).sum();
        }

        PastTurn past(String prompt, List<StoredBlock> kept, @Nullable Boolean leftOut) {
            return new PastTurn(
                    turn.id(),
                    prompt,
                    turn.status(),
                    kept.stream().map(StoredBlock::block).toList(),
                    kept.stream().map(StoredBlock::round).toList(),
                    leftOut);
        }
    }

    /** The newest turn is always there, and so is a summary, without which the rest says little. */
    private List<PastTurn> shortened(List<Known> newestFirst, boolean whole) {
        StoredBlock summary = newestFirst.getLast().summary();
        taken = summary == null ? 0 : size(summary);
        List<Known> kept = new ArrayList<>();
        List<List<StoredBlock>> blocks = new ArrayList<>();
        for (Known known : newestFirst) {
            take(bytes(prompt(known)) + AROUND_A_BLOCK);
            if (!full || kept.isEmpty() || known.summary() != null) {
                kept.add(known);
                blocks.add(fitting(known));
            }
        }
        List<PastTurn> oldestFirst = new ArrayList<>();
        for (int i = kept.size() - 1; i >= 0; i--) {
            boolean cutHere = oldestFirst.isEmpty() && (full || !whole);
            oldestFirst.add(kept.get(i).past(prompt(kept.get(i)), blocks.get(i), cutHere ? true : null));
        }
        return oldestFirst;
    }

    /** The newest blocks of a turn that there is room for. */
    private List<StoredBlock> fitting(Known known) {
        List<StoredBlock> newestFirst = new ArrayList<>();
        for (StoredBlock block : known.blocks().reversed()) {
            if (block == known.summary()) {
                newestFirst.add(block);
                continue;
            }
            int share = share();
            StoredBlock cut = cut(block, share, share, SAID_CHARS);
            if (!full && take(size(cut))) {
                newestFirst.add(cut);
            }
        }
        return newestFirst.reversed();
    }

    private boolean take(long bytes) {
        full = full || taken + bytes > most;
        if (!full) {
            taken += bytes;
        }
        return !full;
    }

    /** How much of a call is told: the newer it is the more. */
    private int share() {
        if (taken < most / 2) {
            return ANSWER_CHARS;
        }
        return taken < most * 3 / 4 ? OLDER_CHARS : OLDEST_CHARS;
    }

    private static String prompt(Known known) {
        return headAndTail(known.turn().prompt(), SAID_CHARS);
    }

    private static StoredBlock cut(StoredBlock stored, int ofAnswers, int ofParameters, int ofWords) {
        return new StoredBlock(
                cut(stored.block(), ofAnswers, ofParameters, ofWords),
                stored.firstSeq(),
                stored.lastSeq(),
                stored.round());
    }

    private static Block cut(Block block, int ofAnswers, int ofParameters, int ofWords) {
        return switch (block) {
            case Block.Thinking thought -> thought;
            case Block.Responding said ->
                new Block.Responding(
                        said.index(), said.createdAt(), said.closedAt(), null, headAndTail(said.content(), ofWords));
            case Block.Prompt said ->
                new Block.Prompt(
                        said.index(), said.createdAt(), said.closedAt(), null, headAndTail(said.content(), ofWords));
            case Block.Tool tool ->
                new Block.Tool(
                        tool.index(),
                        tool.createdAt(),
                        tool.closedAt(),
                        null,
                        cut(tool.content(), ofAnswers, ofParameters));
        };
    }

    /** Of a call what the model asked for and what it was told, not what the person saw besides. */
    private static ToolCall cut(ToolCall call, int ofAnswers, int ofParameters) {
        String response = call.response();
        boolean summary = call.name().equals(SUMMARY);
        Map<String, Object> parameters = new LinkedHashMap<>();
        call.parameters().forEach((name, value) -> parameters.put(name, cut(value, ofParameters)));
        return new ToolCall(
                call.callId(),
                call.name(),
                parameters,
                call.state(),
                null,
                response == null ? null : headAndTail(response, summary ? SAID_CHARS : ofAnswers),
                call.startedAt(),
                call.finishedAt(),
                null);
    }

    private static @Nullable Object cut(@Nullable Object value, int most) {
        return switch (value) {
            case String text -> headAndTail(text, most);
            case List<?> list -> list.stream().map(one -> cut(one, most)).toList();
            case Map<?, ?> map -> {
                Map<Object, @Nullable Object> all = new LinkedHashMap<>();
                map.forEach((name, one) -> all.put(name, cut(one, most)));
                yield all;
            }
            case null -> null;
            default -> value;
        };
    }

    private static String headAndTail(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        // Never through the middle of a character, which could not be sent.
        int head = Character.isHighSurrogate(text.charAt(most / 2 - 1)) ? most / 2 - 1 : most / 2;
        int end = text.length() - most / 2;
        int tail = Character.isLowSurrogate(text.charAt(end)) ? end + 1 : end;
        return text.substring(0, head) + "\n… " + (tail - head) + " characters left out …\n" + text.substring(tail);
    }

    private static long size(StoredBlock stored) {
        return AROUND_A_BLOCK
                + switch (stored.block()) {
                    case Block.Thinking thinking -> bytes(thinking.content());
                    case Block.Responding said -> bytes(said.content());
                    case Block.Prompt said -> bytes(said.content());
                    case Block.Tool tool ->
                        bytes(tool.content().parameters().toString())
                                + bytes(Objects.requireNonNullElse(
                                        tool.content().response(), ""));
                };
    }

    /** What a text takes in a message: UTF-8 with its escapes. */
    static long bytes(String text) {
        return text.chars().mapToLong(TurnHistory::bytes).sum();
    }

    private static int bytes(int unit) {
        if (unit < ' ') {
            return unit == '\n' || unit == '\t' || unit == '\r' ? 2 : 6;
        }
        if (unit < 0x80) {
            return unit == '"' || unit == '\\' ? 2 : 1;
        }
        return unit < 0x800 ? 2 : 3;
    }
}
