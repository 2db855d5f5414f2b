package dev.gadget.drone.exam;

import dev.gadget.drone.tool.Arguments;
import dev.gadget.scripted.ReceivedRequest;
import dev.gadget.scripted.Reply;
import dev.gadget.scripted.Script;
import dev.gadget.scripted.Step;
import dev.gadget.scripted.ToolCall;
import dev.gadget.scripted.ToolShape;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** A model that knows the answers to the exam, and may have a weakness. */
public final class Student implements Script {
    /** How it calls a tool: name and JSON arguments to a reply. */
    interface Hand extends BiFunction<String, String, Reply> {}

    static final Hand NATIVE = Reply::call;
    static final Hand TEXT = (name, arguments) ->
            Reply.text("<tool_call>\n{\"name\": \"" + name + "\", \"arguments\": " + arguments + "}\n</tool_call>");
    static final Hand NO_JSON = (name, arguments) -> Reply.call(name, arguments.replace("\":", "\" is "));
    static final Hand NONE = (name, arguments) -> Reply.text("I would call " + name + " here.");

    private final Hand hand;
    private final int remembersChars;
    private final Reply tooLong;

    private Student(Hand hand, int remembersChars, Reply tooLong) {
        this.hand = hand;
        this.remembersChars = remembersChars;
        this.tooLong = tooLong;
    }

    /** One that knows everything. */
    public static Student good() {
        return calling(NATIVE);
    }

    static Student calling(Hand hand) {
        return new Student(hand, Integer.MAX_VALUE, Reply.text("never said"));
    }

    /** One that drops the beginning of what is longer than this, and says nothing of it. */
    static Student forgetting(int chars) {
        return new Student(NATIVE, chars, Reply.text("The document names no password."));
    }

    /** One whose server refuses what is longer than this. */
    static Student refusing(int chars) {
        return new Student(
                NATIVE,
                chars,
                Reply.body(
                        400,
                        "application/json",
                        "{\"error\":{\"code\":400,\"type\":\"exceed_context_size_error\","
                                + "\"message\":\"the request exceeds the available context size\"}}"));
    }

    @Override
    public Reply reply(ReceivedRequest request) {
        String prompt = request.lastUserText();
        if (prompt.contains("password of this document")) {
            return prompt.length() > remembersChars ? tooLong : Reply.text(ContextProbe.NEEDLE + ".");
        }
        for (EditTask task : EditTask.ALL) {
            if (prompt.equals(task.prompt())) {
                return hand.apply("edit_file", Arguments.write(edit(task)));
            }
        }
        if (prompt.contains("read_file")) {
            return hand.apply("read_file", "{\"path\": \"src/main/App.java\"}");
        }
        if (prompt.contains("the tool search")) {
            return hand.apply("search", "{\"pattern\": \"say \\\"hello\\\"\"}");
        }
        if (prompt.contains("write_file")) {
            return hand.apply("write_file", "{\"path\": \"notes/todo.md\", \"content\": \"- buy \\\"milk\\\"\\n\"}");
        }
        if (prompt.contains("list_files")) {
            return hand.apply("list_files", "{\"path\": \"docs\"}");
        }
        // A pause, not a pace: that would catch up after a late beginning, and all would come at once.
        return Reply.of(
                new Step.Thinking("A river, its banks, its bends. "),
                new Step.Pause(Duration.ofMillis(400)),
                new Step.Text(
                        "A river carries its valley away, grain after grain, and leaves it elsewhere. ".repeat(6)));
    }

    /** What is right: the lines that differ, with enough around them to occur once. */
    private static Map<String, Object> edit(EditTask task) {
        List<String> texts = switch (task.file()) {
            case "server.properties" -> List.of("port=80\n", "port=8080\n");
            case "Greeter.java" ->
                List.of(
                        "greet(String name) {\n        return \"Hello \" + name;",
                        "greet(String name, String mark) {\n        return \"Hello \" + name + mark;");
            case "check.js" -> List.of("/^\\d+$/", "/^\\w+$/");
            case "settings.yaml" -> List.of("prod:\n  timeout: 30", "prod:\n  timeout: 60");
            case "menu.txt" -> List.of("Mittag: Suppe\n", "");
            default -> throw new AssertionError("a task that is not known: " + task.file());
        };
        Map<String, Object> edit = new LinkedHashMap<>();
        edit.put("path", task.file());
        edit.put("old_string", texts.getFirst());
        edit.put("new_string", texts.getLast());
        return edit;
    }

    /** The same, but one edit is made everywhere, and one beside the place. */
    static Script careless() {
        Student good = good();
        return request -> {
            String prompt = request.lastUserText();
            if (prompt.contains("settings.yaml")) {
                return Reply.call(
                        "edit_file",
                        "{\"path\":\"settings.yaml\",\"old_string\":\"timeout: 30\",\"new_string\":\"timeout: 60\",\"replace_all\":true}");
            }
            if (prompt.contains("menu.txt")) {
                return Reply.calls(
                        ToolShape.WHOLE,
                        ToolCall.of(
                                "edit_file",
                                "{\"path\":\"../menu.txt\",\"old_string\":\"Mittag: Suppe\\n\",\"new_string\":\"\"}"));
            }
            return good.reply(request);
        };
    }
}
