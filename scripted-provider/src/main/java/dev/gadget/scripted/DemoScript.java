package dev.gadget.scripted;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What somebody sees who has no model yet: a small but real piece of work in the workspace, and how to go on. */
final class DemoScript implements Script {
    static final String FILE = "gadget-demo.md";
    private static final double PER_SECOND = 60;
    private static final int QUOTED = 400;
    private static final String OPEN = "- [ ] edited in place";
    private static final String DONE = "- [x] edited in place";

    /** One tool call with what is thought and said before it. */
    private record Act(String tool, String thought, String text, ObjectNode arguments) {}

    @Override
    public Reply reply(ReceivedRequest request) {
        List<Act> acts = acts(request);
        int round = request.round();
        Reply reply = round < acts.size() ? played(request, acts.get(round)) : summary(request, acts);
        return reply.paced(PER_SECOND);
    }

    private static Reply played(ReceivedRequest request, Act act) {
        return Reply.of(
                thinking(request, act.thought()),
                new Step.Text((request.round() == 0 ? greeting() : "") + act.text()),
                new Step.Tools(List.of(ToolCall.of(act.tool(), act.arguments().toString())), ToolShape.FRAGMENTS));
    }

    private static Step thinking(ReceivedRequest request, String text) {
        return new Step.Thinking(request.thinks() ? text : "");
    }

    private static String greeting() {
        return "Hello! I am a **scripted demo**: I understand nothing of what you type. All the rest is real: "
                + "the drone, its tools, the files on your disk.\n\n";
    }

    /** What is played with the tools that the request offers. */
    private static List<Act> acts(ReceivedRequest request) {
        Set<String> offered = new HashSet<>();
        for (JsonNode tool : request.body().path("tools")) {
            offered.add(tool.path("function").path("name").asText());
        }
        return List.of(look(), write(request), edit(), read(), run()).stream()
                .filter(act -> offered.contains(act.tool()))
                .toList();
    }

    private static Act look() {
        return new Act(
                "list_files",
                "Somebody asked me something. Before I touch anything, I should see what is in this workspace. ",
                "Let me look around in the workspace first.",
                Json.object().put("path", "."));
    }

    private static Act write(ReceivedRequest request) {
        return new Act(
                "write_file",
                "Now I know what is here. I will leave a small note that quotes the prompt, so that there is a change to see. ",
                "I write a small note, `" + FILE + "`.",
                file().put("content", note(request.lastUserText())));
    }

    private static Act edit() {
        return new Act(
                "edit_file",
                "A file is seldom written once. The note has an open box; I will tick it. ",
                "Now I tick a box in it, which is an edit in place.",
                file().put("old_string", OPEN).put("new_string", DONE));
    }

    private static Act read() {
        return new Act(
                "read_file",
                "It is good practice to read back what was written. ",
                "Reading it back, to be sure.",
                file());
    }

    private static Act run() {
        return new Act(
                "run_command",
                "One more tool: commands. Counting the lines of the note does no harm. ",
                "And a command, a harmless one.",
                Json.object().put("command", "wc -l " + FILE).put("timeout_seconds", 10));
    }

    private static ObjectNode file() {
        return Json.object().put("path", FILE);
    }

    private static String note(String prompt) {
        String strip = prompt.strip();
        String quoted = strip.length() > QUOTED ? Tokens.pieces(strip, QUOTED).getFirst() + " …" : strip;
        return "# A note from the scripted demo\n\nYou asked:\n\n> " + quoted.replace("\n", "\n> ")
                + "\n\nNo model read this. A script wrote the file, over the same path that a model would use.\n\n"
                + OPEN + "\n";
    }

    private static Reply summary(ReceivedRequest request, List<Act> acts) {
        String tools = acts.stream().map(act -> "`" + act.tool() + "`").collect(Collectors.joining(", "));
        return acts.isEmpty()
                ? Reply.of(
                        thinking(request, "There are no tools here, so I just answer. "),
                        new Step.Text(greeting() + answer("I was given no tools, so I changed nothing.")))
                : Reply.of(
                        thinking(request, "All tools have answered. I can sum up. "),
                        new Step.Text(answer("I called " + tools
                                + "; open their lines above to see what each was given and what it answered.")));
    }

    private static String answer(String done) {
        return """
                ## That was a scripted demo

                %s **No model was asked**: whatever you prompt, this script does the same.

                To connect a real model, add a provider in the settings, or start Gadget with one:

                | you have | start with |
                |---|---|
                | Ollama on this machine | `./gadget up` finds it by itself |
                | an OpenAI key | `OPENAI_API_KEY=… ./gadget up` |
                | any OpenAI-compatible server | `./gadget up --provider-url http://HOST:PORT/v1 --model NAME` |

                Then choose that provider and its model in a new session, and ask for something real.
                """.formatted(done);
    }
}
