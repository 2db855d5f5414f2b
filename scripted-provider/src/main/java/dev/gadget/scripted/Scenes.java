package dev.gadget.scripted;

import java.util.List;
import java.util.Map;

/** The scripts that a marker can name. */
final class Scenes {
    private Scenes() {}

    static Reply named(String name, Map<String, String> options, ReceivedRequest request) {
        double rate = Double.parseDouble(options.getOrDefault("rate", "0"));
        return scene(name, options, request).paced(rate);
    }

    private static Reply scene(String name, Map<String, String> options, ReceivedRequest request) {
        return switch (name) {
            case "plain" -> plain();
            case "reason" -> reason();
            case "lorem" -> lorem(options);
            case "tool" -> toolThenText(request, "read_file", path(options, "README.md"));
            case "parallel" -> parallel(request);
            case "think_tool" -> thinkTool(request);
            case "run", "run_command" ->
                toolThenText(
                        request,
                        "run_command",
                        Json.object()
                                .put("command", options.getOrDefault("command", "echo hello"))
                                .toString());
            case "edit" -> edit(request);
            case "unknown_tool" -> toolThenText(request, "format_disk", "{\"force\":true}");
            case "bad_json" ->
                request.round() > 0
                        ? Reply.text("The arguments were refused; I stop here.")
                        : Reply.call("read_file", "{\"path\": oops}");
            case "fault" -> Faults.named(options.getOrDefault("what", ""));
            default ->
                Reply.text("There is no script `" + name + "`. There are: plain, reason, lorem tokens=N rate=R,"
                        + " tool path=P, parallel, think_tool, run_command command=\"…\", edit, unknown_tool, bad_json, fault NAME"
                        + " with NAME one of " + String.join(", ", Faults.names()) + ".");
        };
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

    private static Reply lorem(Map<String, String> options) {
        long tokens = Long.parseLong(options.getOrDefault("tokens", "1000"));
        double rate = Double.parseDouble(options.getOrDefault("rate", "0"));
        long thinking = Long.parseLong(options.getOrDefault("thinking", "0"));
        return Reply.of(
                new Step.Numbered(true, 1, thinking, rate), new Step.Numbered(false, thinking + 1, tokens, rate));
    }

    private static String path(Map<String, String> options, String otherwise) {
        return Json.object()
                .put("path", options.getOrDefault("path", otherwise))
                .toString();
    }

    private static Reply toolThenText(ReceivedRequest request, String tool, String arguments) {
        return request.round() == 0
                ? Reply.of(
                        new Step.Text("I call " + tool + ". "),
                        new Step.Tools(List.of(ToolCall.of(tool, arguments)), ToolShape.FRAGMENTS))
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
        return switch (request.round()) {
            case 0 ->
                Reply.of(
                        new Step.Thinking("First I look around."),
                        new Step.Tools(List.of(ToolCall.of("list_files", "{\"path\":\".\"}")), ToolShape.FRAGMENTS));
            case 1 ->
                Reply.of(
                        new Step.Thinking("Now I know where to write."),
                        new Step.Text("I write the note. "),
                        new Step.Tools(
                                List.of(ToolCall.of(
                                        "write_file",
                                        Json.object()
                                                .put("path", "NOTE.md")
                                                .put("content", "# Note\n\n\"quoted\" \\ tab\t é\n")
                                                .toString())),
                                ToolShape.FRAGMENTS));
            default -> Reply.text("The note is written.");
        };
    }

    private static Reply edit(ReceivedRequest request) {
        return switch (request.round()) {
            case 0 ->
                Reply.call(
                        "write_file",
                        Json.object()
                                .put("path", "edit-me.txt")
                                .put("content", "one\ntwo\nthree\n")
                                .toString());
            case 1 ->
                Reply.call(
                        "edit_file",
                        Json.object()
                                .put("path", "edit-me.txt")
                                .put("old_text", "two")
                                .put("new_text", "zwei")
                                .toString());
            case 2 -> Reply.call("search", "{\"pattern\":\"zwei\"}");
            default -> Reply.text("The second line of `edit-me.txt` is `zwei` now.");
        };
    }
}
