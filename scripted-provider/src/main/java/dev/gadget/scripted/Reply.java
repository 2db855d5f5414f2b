package dev.gadget.scripted;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the provider answers to one request.
 *
 * @param fixed a body that is sent as it is, in place of the steps
 * @param delay what happens before the status line; {@link Step.Silence}, {@link Step.Reset}, {@link Step.Drop} or a pause
 * @param perSecond the rate of tokens; 0 is as fast as the reader takes them
 * @param reasoningField the field of the OpenAI wire in which thinking is told: servers differ
 */
public record Reply(
        int status,
        Map<String, String> headers,
        @Nullable String fixed,
        List<Step> steps,
        @Nullable Step delay,
        double perSecond,
        String reasoningField,
        Transport transport) {
    private static final String REASONING = "reasoning_content";

    public Reply {
        headers = Map.copyOf(headers);
        steps = List.copyOf(steps);
    }

    /**
     * How the body travels.
     *
     * @param cutAfter bytes of the body after which it is cut; negative is never
     * @param cut how: {@link Step.CleanEnd}, {@link Step.Drop} or {@link Step.Reset}
     * @param piece bytes a write; 0 leaves it to the writer
     */
    public record Transport(boolean gzip, long cutAfter, Step cut, int piece) {
        static final Transport PLAIN = new Transport(false, -1, new Step.Drop(), 0);
    }

    /** A regular response: the steps, then the end of the wire. */
    public static Reply of(Step... steps) {
        List<Step> all = new ArrayList<>(List.of(steps));
        all.add(new Step.End(null, null));
        return steps(all);
    }

    /** The steps and nothing else: who wants an end says it. */
    public static Reply exactly(Step... steps) {
        return steps(List.of(steps));
    }

    static Reply steps(List<Step> steps) {
        return new Reply(200, Map.of(), null, steps, null, 0, REASONING, Transport.PLAIN);
    }

    /** A regular response that says this. */
    public static Reply text(String text) {
        return of(new Step.Text(text));
    }

    /** A regular response that calls a tool. */
    public static Reply call(String tool, String arguments) {
        return calls(ToolShape.FRAGMENTS, ToolCall.of(tool, arguments));
    }

    /** A regular response that calls tools. */
    public static Reply calls(ToolShape shape, ToolCall... calls) {
        return of(new Step.Tools(List.of(calls), shape));
    }

    /** A body that is sent as it is. */
    public static Reply body(int status, String contentType, String body) {
        return new Reply(
                status, Map.of("Content-Type", contentType), body, List.of(), null, 0, REASONING, Transport.PLAIN);
    }

    /** The same, but this happens before the status line. */
    public Reply after(Step happening) {
        return new Reply(status, headers, fixed, steps, happening, perSecond, reasoningField, transport);
    }

    /** The same, so many tokens a second. */
    public Reply paced(double tokensPerSecond) {
        return new Reply(status, headers, fixed, steps, delay, tokensPerSecond, reasoningField, transport);
    }

    /** The same, its words told so many characters at a time. */
    public Reply inTokensOf(int chars) {
        int size = Math.max(1, chars);
        List<Step> cut = steps.stream()
                .flatMap(step -> switch (step) {
                    case Step.Text(var text) ->
                        Tokens.pieces(text, size).stream().<Step>map(Step.Text::new);
                    case Step.Thinking(var text) ->
                        Tokens.pieces(text, size).stream().<Step>map(Step.Thinking::new);
                    default -> Stream.of(step);
                })
                .toList();
        return new Reply(status, headers, fixed, cut, delay, perSecond, reasoningField, transport);
    }

    /** The same with one more header. */
    public Reply header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Reply(status, more, fixed, steps, delay, perSecond, reasoningField, transport);
    }

    /** The same, thinking told in this field of the OpenAI wire. */
    public Reply reasoningIn(String field) {
        return new Reply(status, headers, fixed, steps, delay, perSecond, field, transport);
    }

    /** The same, compressed. */
    public Reply gzipped() {
        return travelling(new Transport(true, transport.cutAfter, transport.cut, transport.piece));
    }

    /** The same, cut after so many bytes of its body. */
    public Reply cutAfter(long bytes, Step how) {
        return travelling(new Transport(transport.gzip, bytes, how, transport.piece));
    }

    /** The same, written in pieces of so many bytes. */
    public Reply inPiecesOf(int bytes) {
        return travelling(new Transport(transport.gzip, transport.cutAfter, transport.cut, bytes));
    }

    private Reply travelling(Transport other) {
        return new Reply(status, headers, fixed, steps, delay, perSecond, reasoningField, other);
    }

    static Reply nothingUntil(Step happening) {
        return exactly().after(happening);
    }

    static Reply late(Duration time, Reply reply) {
        return reply.after(new Step.Pause(time));
    }
}
