package dev.gadget.scripted;

import java.util.List;

/** What somebody sees who has no model yet: a small but real piece of work in the workspace, and how to go on. */
final class DemoScript implements Script {
    static final String FILE = "gadget-demo.md";
    private static final double PER_SECOND = 45;
    private static final int QUOTED = 400;

    @Override
    public Reply reply(ReceivedRequest request) {
        boolean hasTools = !request.body().path("tools").isEmpty();
        Reply reply = hasTools
                ? work(request)
                : Reply.of(
                        thinking(request, "There are no tools here, so I just answer. "),
                        new Step.Text(answer("I was given no tools, so I changed nothing.")));
        return reply.paced(PER_SECOND);
    }

    private static Reply work(ReceivedRequest request) {
        return switch (request.round()) {
            case 0 ->
                call(
                        request,
                        "A person asked me something. Before I touch anything, I should see what is in this workspace. ",
                        "Let me have a look at the workspace first.",
                        "list_files",
                        "{\"path\":\".\"}");
            case 1 ->
                call(
                        request,
                        "Now I know what is here. I will leave a small note that quotes the request, so that there is a change to see. ",
                        "I'll write a small note, `" + FILE + "`.",
                        "write_file",
                        Json.object()
                                .put("path", FILE)
                                .put("content", note(request.lastUserText()))
                                .toString());
            case 2 ->
                call(
                        request,
                        "It is good practice to read back what was written. ",
                        "Reading it back, to be sure.",
                        "read_file",
                        Json.object().put("path", FILE).toString());
            default ->
                Reply.of(
                        thinking(request, "All three tools answered. I can sum up. "),
                        new Step.Text(answer(
                                "I listed the files of your workspace, wrote `" + FILE + "` and read it back.")));
        };
    }

    private static Reply call(ReceivedRequest request, String thought, String text, String tool, String arguments) {
        return Reply.of(
                thinking(request, thought),
                new Step.Text(text),
                new Step.Tools(List.of(ToolCall.of(tool, arguments)), ToolShape.FRAGMENTS));
    }

    private static Step thinking(ReceivedRequest request, String text) {
        return new Step.Thinking(request.thinks() ? text : "");
    }

    private static String note(String prompt) {
        String quoted = prompt.length() > QUOTED ? prompt.substring(0, QUOTED) + " …" : prompt;
        return "# A note from the scripted demo\n\nYou asked:\n\n> "
                + quoted.strip().replace("\n", "\n> ")
                + "\n\nNo model read this. A script wrote the file, over the same path that a model would use.\n";
    }

    private static String answer(String done) {
        return """
                ## This was a scripted demo

                %s **No model was asked**: whatever you prompt, this script does the same. \
                All the rest is real: the drone, the tools, the file on your disk.

                To connect a real model, add a provider in the settings, or start Gadget with one:

                | you have | start with |
                |---|---|
                | Ollama on this machine | `./gadget up` finds it by itself |
                | an OpenAI key | `OPENAI_API_KEY=… ./gadget up` |
                | any OpenAI-compatible server | `./gadget up --provider-type openai --provider-url http://host:port/v1 --model NAME` |

                Then choose that provider and its model in a new session, and ask for something real.
                """.formatted(done);
    }
}
