package dev.gadget.drone.tool;

import dev.gadget.drone.policy.SafeFiles;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Replaces an exact text in a file. */
@ApplicationScoped
public class EditFileTool implements Tool {
    private static final ToolSpec SPEC = new ToolSpec(
            "edit_file",
            "Replaces old_string by new_string in a file. old_string has to be in the file exactly, with all blanks and line"
                    + " breaks, and only once, unless replace_all is true. Read the file first.",
            Schema.object()
                    .text("path", "The file, relative to the workspace.")
                    .text("old_string", "The exact text to replace, with enough of its surroundings to occur once.")
                    .text("new_string", "The text to put there instead.")
                    .optionalFlag("replace_all", "Replace every occurrence; default false.")
                    .build());

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolEffect effect() {
        return ToolEffect.WRITES;
    }

    @Override
    public Map<String, Object> example() {
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("path", "src/main/App.java");
        example.put("old_string", "int port = 80;");
        example.put("new_string", "int port = 8080;");
        return example;
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of(
                "file_path",
                "path",
                "filename",
                "path",
                "file",
                "path",
                "old_text",
                "old_string",
                "new_text",
                "new_string",
                "old_str",
                "old_string",
                "new_str",
                "new_string",
                "search",
                "old_string",
                "replace",
                "new_string");
    }

    @Override
    public List<String> changes(Map<String, Object> parameters) {
        return Stream.ofNullable(parameters.get("path")).map(Object::toString).toList();
    }

    /** Also what does not fit is told. */
    @Override
    public List<Path> reads(Workspace workspace, Map<String, Object> parameters) {
        return places(workspace, parameters);
    }

    @Override
    public ToolResult run(ToolInvocation call) throws IOException {
        Workspace workspace = call.workspace();
        Path file = workspace.toWrite(call.text("path"));
        String content;
        try {
            content = EditableText.read(workspace, file);
        } catch (NoSuchFileException e) {
            return ToolResult.failed(
                    NearMisses.missing(workspace, call.text("path")) + " New files are made by write_file.");
        }
        Edit edit = Edit.of(call, content);
        if (edit.old().isEmpty()) {
            return ToolResult.failed(
                    "`old_string` is empty. Give the text to replace, or use write_file for the whole file.");
        }
        if (edit.old().equals(edit.replacement())) {
            return ToolResult.failed("`old_string` and `new_string` are equal: nothing would change.");
        }
        List<Integer> places = places(content, edit.old());
        if (places.isEmpty()) {
            return ToolResult.failed("`old_string` is not in `" + workspace.show(file) + "`."
                    + NearMisses.nearest(content, call.text("old_string")));
        }
        if (places.size() > 1 && !call.flag("replace_all")) {
            return ToolResult.failed("`old_string` occurs " + places.size() + " times in `" + workspace.show(file)
                    + "`, in lines " + lines(content, places)
                    + ". Add lines around the one that you mean, or set replace_all to true.");
        }
        SafeFiles.write(
                workspace, file, content.replace(edit.old(), edit.replacement()).getBytes(StandardCharsets.UTF_8));
        return ToolResult.done(said(workspace, file, content, places));
    }

    @Override
    public Optional<String> preview(ToolInvocation call) throws IOException {
        Path file = call.workspace().toWrite(call.text("path"));
        String content = EditableText.read(call.workspace(), file);
        Edit edit = Edit.of(call, content);
        return Optional.of(
                Diff.of(call.workspace().show(file), content, content.replace(edit.old(), edit.replacement())));
    }

    /** True of the file is then: the new text is in it, and the old one is gone but for what of it is in the new one. */
    @Override
    public Optional<ToolResult> alreadyDone(ToolInvocation call) throws IOException {
        Path file = call.workspace().toWrite(call.text("path"));
        String content = EditableText.read(call.workspace(), file);
        Edit edit = Edit.of(call, content);
        String without = edit.replacement().isEmpty() ? content : content.replace(edit.replacement(), "");
        boolean done = content.contains(edit.replacement()) && !without.contains(edit.old());
        return done
                ? Optional.of(ToolResult.done("Edited `" + call.workspace().show(file) + "`; the new text is in it."))
                : Optional.empty();
    }

    private static List<Integer> places(String content, String wanted) {
        List<Integer> places = new ArrayList<>();
        for (int at = content.indexOf(wanted); at >= 0; at = content.indexOf(wanted, at + wanted.length())) {
            places.add(at);
        }
        return places;
    }

    private static String said(Workspace workspace, Path file, String content, List<Integer> places) {
        return "Edited `" + workspace.show(file) + "`: " + places.size()
                + (places.size() == 1 ? " place, in line " : " places, in lines ") + lines(content, places) + ".";
    }

    private static String lines(String content, List<Integer> places) {
        String shown = places.stream()
                .limit(10)
                .map(at -> String.valueOf(1
                        + content.substring(0, at)
                                .chars()
                                .filter(c -> c == '\n')
                                .count()))
                .collect(Collectors.joining(", "));
        return places.size() > 10 ? shown + " …" : shown;
    }

    /** The texts, with the line ends of the file: models do not see them. */
    private record Edit(String old, String replacement) {
        static Edit of(ToolInvocation call, String content) {
            String old = call.text("old_string");
            String replacement = call.text("new_string");
            // What has a line break and is in the file as it is, is in a part of it that ends its lines otherwise.
            boolean windows =
                    content.contains("\r\n") && !old.contains("\r") && (!old.contains("\n") || !content.contains(old));
            return windows
                    ? new Edit(
                            old.replace("\n", "\r\n"),
                            replacement.replace("\r\n", "\n").replace("\n", "\r\n"))
                    : new Edit(old, replacement);
        }
    }
}
