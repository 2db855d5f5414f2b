package dev.gadget.scripted;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The scenes that a mark can name. */
public final class Scenes {
    private static final long MOST_TOKENS = 100_000_000;
    private static final long MOST_ROUNDS = 10_000;

    /** What a scene answers to a request. */
    @FunctionalInterface
    private interface Play {
        Reply reply(Options options, ReceivedRequest request);
    }

    private record Scene(Set<String> options, Play play) {}

    private static final Script DEMO = new DemoScript();
    private static final Map<String, Scene> ALL = all();

    private Scenes() {}

    /** The names, in order. */
    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /** What a scene takes besides the options that every scene takes. */
    public static Set<String> options(String name) {
        Scene scene = ALL.get(name);
        return scene == null ? Set.of() : scene.options();
    }

    /** @throws IllegalArgumentException says what is wrong with the name or an option */
    static Reply named(String name, Options options, ReceivedRequest request) {
        @Nullable Scene scene = ALL.get(name);
        if (scene == null) {
            throw new IllegalArgumentException(
                    "There is no scene '" + name + "'; there are " + String.join(", ", ALL.keySet()));
        }
        options.allowOnly(name, scene.options());
        return options.applied(scene.play().reply(options, request));
    }

    private static Map<String, Scene> all() {
        Map<String, Scene> all = new LinkedHashMap<>();
        all.put("demo", new Scene(Set.of(), (options, request) -> DEMO.reply(request)));
        all.put("help", new Scene(Set.of(), (options, request) -> help()));
        all.put("plain", new Scene(Set.of(), (options, request) -> plain()));
        all.put("reason", new Scene(Set.of(), (options, request) -> reason()));
        all.put("lorem", new Scene(Set.of("tokens", "thinking"), (options, request) -> lorem(options)));
        all.put("tool", new Scene(Set.of("path"), Scenes::read));
        all.put("write", new Scene(Set.of("path", "content"), Scenes::write));
        all.put("edit", new Scene(Set.of(), (options, request) -> edit(request)));
        all.put("run", new Scene(Set.of("command"), Scenes::run));
        all.put("parallel", new Scene(Set.of(), (options, request) -> parallel(request)));
        all.put("think_tool", new Scene(Set.of(), (options, request) -> thinkTool(request)));
        all.put("rounds", new Scene(Set.of("count"), Scenes::rounds));
        all.put("script", new Scene(Set.of(), (options, request) -> script(request)));
        all.put("loop", new Scene(Set.of(), (options, request) -> call("list_files", path("."))));
        all.put("unknown_tool", new Scene(Set.of(), (options, request) -> unknownTool(request)));
        all.put("bad_json", new Scene(Set.of(), (options, request) -> badJson(request)));
        all.put("fault", new Scene(Set.of(Options.BARE, "times"), (options, request) -> fault(options)));
        return all;
    }

    private static Reply help() {
        return Reply.text("Scenes: " + String.join(", ", ALL.keySet()) + ".\n\nFaults: "
                + String.join(", ", Faults.names()) + ".\n");
    }

    private static Reply plain() {
        return Reply.text("A fixed answer with **bold**, `code`, naïve accents, 漢字 and a face 😀.\n\n"
                + "```java\nSystem.out.println(\"hi\");\n```\n\nThat was all.");
    }

    private static Reply reason() {
        return Reply.of(
                new Step.Thinking("Somebody asks for a reason. Two come to mind; the second is the better one."),
                new Step.Text("After some thought: **42**."));
    }

    private static Reply lorem(Options options) {
        List<Step> steps = new ArrayList<>();
        long thinking = options.number("thinking", 0, MOST_TOKENS);
        if (thinking > 0) {
            steps.add(new Step.Numbered(true, thinking));
        }
        steps.add(new Step.Numbered(false, options.number("tokens", 1000, MOST_TOKENS)));
        return Reply.of(steps.toArray(Step[]::new));
    }

    private static Reply read(Options options, ReceivedRequest request) {
        return toolThenText(request, "read_file", path(options.text("path", "README.md")));
    }

    private static Reply write(Options options, ReceivedRequest request) {
        String content = options.text("content", "written by a script");
        return toolThenText(
                request,
                "write_file",
                path(options.text("path", "scripted.txt")).put("content", content + "\n"));
    }

    private static Reply run(Options options, ReceivedRequest request) {
        String command = options.text("command", "echo hello");
        return toolThenText(request, "run_command", Json.object().put("command", command));
    }

    private static Reply unknownTool(ReceivedRequest request) {
        return toolThenText(request, "format_disk", Json.object().put("force", true));
    }

    private static Reply badJson(ReceivedRequest request) {
        return request.round() > 0
                ? Reply.text("The arguments were refused; I stop here.")
                : Reply.call("read_file", "{\"path\": oops}");
    }

    private static Reply fault(Options options) {
        String name = options.text(Options.BARE, "");
        return Faults.named(name);
    }

    private static Reply rounds(Options options, ReceivedRequest request) {
        long count = options.number("count", 3, MOST_ROUNDS);
        return request.round() < count
                ? call("find_files", Json.object().put("pattern", "round-" + (request.round() + 1) + "-*"))
                : Reply.text("That were " + count + " rounds of tools.");
    }

    /** The rounds stand in the prompt itself, as JSON after the mark: a sentence, the tools to call, or thinking, a sentence and tools. */
    private static Reply script(ReceivedRequest request) {
        String prompt = request.lastUserText();
        String text = prompt.substring(prompt.indexOf("]]") + 2);
        JsonNode rounds = read(text);
        if (!rounds.isArray()) {
            throw new IllegalArgumentException(
                    "After [[script]] comes a JSON array of rounds, each a text, an array of {\"tool\", \"arguments\"}, or a {\"thinking\", \"text\", \"calls\"} of which each may be missing");
        }
        JsonNode round = rounds.path(request.round());
        if (round.isMissingNode()) {
            return Reply.text("The script is over.");
        }
        if (round.isObject()) {
            List<Step> steps = new ArrayList<>();
            if (round.has("thinking")) {
                steps.add(new Step.Thinking(round.path("thinking").asText()));
            }
            if (round.has("text")) {
                steps.add(new Step.Text(round.path("text").asText()));
            }
            if (round.has("calls")) {
                steps.add(new Step.Tools(calls(round.path("calls")), ToolShape.WHOLE));
            }
            return Reply.of(steps.toArray(Step[]::new));
        }
        return round.isArray()
                ? Reply.calls(ToolShape.WHOLE, calls(round).toArray(ToolCall[]::new))
                : Reply.text(round.asText());
    }

    private static List<ToolCall> calls(JsonNode wanted) {
        List<ToolCall> calls = new ArrayList<>();
        wanted.forEach(call -> calls.add(
                ToolCall.of(call.path("tool").asText(), call.path("arguments").toString())));
        return calls;
    }

    private static JsonNode read(String text) {
        try {
            return Json.MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("What comes after [[script]] is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static ObjectNode path(String path) {
        return Json.object().put("path", path);
    }

    private static Reply call(String tool, ObjectNode arguments) {
        return Reply.call(tool, arguments.toString());
    }

    private static Reply toolThenText(ReceivedRequest request, String tool, ObjectNode arguments) {
        return request.round() == 0
                ? Reply.of(
                        new Step.Text("I call " + tool + ". "),
                        new Step.Tools(List.of(ToolCall.of(tool, arguments.toString())), ToolShape.FRAGMENTS))
                : Reply.text("The tool " + tool + " answered; done.");
    }

    private static Reply parallel(ReceivedRequest request) {
        return request.round() == 0
                ? Reply.calls(
                        ToolShape.INTERLEAVED,
                        ToolCall.of("list_files", "{\"path\":\".\"}"),
                        ToolCall.of("find_files", "{\"pattern\":\"**/*.md\"}"))
                : Reply.text("Both tools answered; done.");
    }

    private static Reply thinkTool(ReceivedRequest request) {
        String note = path("NOTE.md")
                .put("content", "# Note\n\n\"quoted\" \\ tab\t é\n")
                .toString();
        return switch (request.round()) {
            case 0 ->
                Reply.of(
                        new Step.Thinking("First I look around."),
                        new Step.Tools(List.of(ToolCall.of("list_files", "{\"path\":\".\"}")), ToolShape.FRAGMENTS));
            case 1 ->
                Reply.of(
                        new Step.Thinking("Now I know where to write."),
                        new Step.Text("I write the note. "),
                        new Step.Tools(List.of(ToolCall.of("write_file", note)), ToolShape.FRAGMENTS));
            default -> Reply.text("The note is written.");
        };
    }

    private static Reply edit(ReceivedRequest request) {
        ObjectNode file = path("edit-me.txt");
        return switch (request.round()) {
            case 0 -> call("write_file", file.put("content", "one\ntwo\nthree\n"));
            case 1 -> call("edit_file", file.put("old_string", "two").put("new_string", "zwei"));
            case 2 -> call("search", Json.object().put("pattern", "zwei"));
            default -> Reply.text("The second line of `edit-me.txt` is `zwei` now.");
        };
    }
}
