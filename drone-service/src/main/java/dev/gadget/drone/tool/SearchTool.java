package dev.gadget.drone.tool;

import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.turn.ToolEffect;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Searches the text of files: with ripgrep where there is one, otherwise by itself. */
@ApplicationScoped
public class SearchTool implements Tool {
    private static final ToolSpec SPEC = new ToolSpec(
            "search",
            "Searches the text of files by a regular expression and gives path:line:text of each match, "
                    + SearchHits.MAX_LINES + " at most. What git ignores is left out.",
            Schema.object()
                    .text("pattern", "The regular expression, for example `class \\w+Tool`. Case counts.")
                    .optionalText("path", "The directory or file to search, relative to the workspace.")
                    .optionalText("glob", "Only files whose path matches, for example *.java.")
                    .build());

    private final Optional<Path> ripgrep;
    private final Duration within;

    public SearchTool() {
        this(RipGrep.find());
    }

    SearchTool(Optional<Path> ripgrep) {
        this(ripgrep, RipGrep.MAX_TIME);
    }

    /** @param within how long ripgrep may take */
    SearchTool(Optional<Path> ripgrep, Duration within) {
        this.ripgrep = ripgrep;
        this.within = within;
    }

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolEffect effect() {
        return ToolEffect.READS;
    }

    @Override
    public Map<String, Object> example() {
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("pattern", "TODO|FIXME");
        example.put("path", "src");
        example.put("glob", "*.java");
        return example;
    }

    @Override
    public Map<String, String> aliases() {
        return Map.of("query", "pattern", "regex", "pattern", "directory", "path", "include", "glob");
    }

    @Override
    public List<String> touches(Map<String, Object> parameters) {
        return Tool.path(parameters);
    }

    @Override
    public List<Path> reads(Workspace workspace, Map<String, Object> parameters) {
        return Tool.path(parameters).stream().map(workspace::toRead).toList();
    }

    @Override
    public ToolResult run(ToolInvocation call) throws IOException, InterruptedException {
        Path start = FileWalk.start(call);
        String pattern = call.text("pattern");
        if (pattern.isEmpty() || pattern.length() > 2000) {
            return ToolResult.failed("`pattern` has to have between 1 and 2000 characters.");
        }
        Pattern compiled;
        String note = "";
        try {
            compiled = Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            // Models often pass code as it is; what cannot be an expression is meant as text.
            compiled = Pattern.compile(pattern, Pattern.LITERAL);
            note = "[`" + pattern + "` is not a regular expression (" + e.getDescription()
                    + "); searched as plain text]\n";
        }
        SearchHits hits = new SearchHits(call, start);
        if (ripgrep.isPresent()) {
            RipGrep.search(ripgrep.get(), call, start, !note.isEmpty(), within, hits);
        } else {
            OwnSearch.search(call, start, compiled, hits);
        }
        return ToolResult.done(note + hits.text(pattern, call.workspace().show(start)));
    }
}
