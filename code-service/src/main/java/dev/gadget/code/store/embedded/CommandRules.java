package dev.gadget.code.store.embedded;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which commands change nothing, and which are refused: those that cannot be repeated from the journal with the same outcome, or write where they should read. */
final class CommandRules {
    private static final Set<String> READS = Set.of(
            "find",
            "count",
            "aggregate",
            "distinct",
            "getmore",
            "killcursors",
            "ping",
            "hello",
            "ismaster",
            "buildinfo",
            "whatsmyuri",
            "listcollections",
            "listindexes",
            "listdatabases",
            "dbstats",
            "collstats",
            "validate",
            "serverstatus",
            "hostinfo",
            "connectionstatus",
            "getlog",
            "getcmdlineopts",
            "getfreemonitoringstatus",
            "replsetgetstatus",
            "getlasterror",
            "reseterror",
            "endsessions");

    private CommandRules() {}

    /** What is not known to only read is a write. */
    static boolean isRead(String command) {
        return READS.contains(command.toLowerCase(Locale.ROOT));
    }

    /** Why a command is refused. */
    static Optional<String> refusal(String command, Document query) {
        return switch (command.toLowerCase(Locale.ROOT)) {
            case "aggregate" -> ofPipeline(query.get("pipeline"));
            case "insert" -> first(query.get("documents"), CommandRules::ofInsert);
            case "update" -> first(query.get("updates"), item -> ofUpdate(item, "q", "u"));
            case "findandmodify" -> ofUpdate(query, "query", "update");
            default -> Optional.empty();
        };
    }

    private interface Rule {
        Optional<String> refusal(Document item);
    }

    private static Optional<String> first(@Nullable Object items, Rule rule) {
        if (items instanceof List<?> list) {
            return list.stream()
                    .filter(Document.class::isInstance)
                    .map(item -> rule.refusal((Document) item))
                    .flatMap(Optional::stream)
                    .findFirst();
        }
        return Optional.empty();
    }

    private static Optional<String> ofPipeline(@Nullable Object pipeline) {
        return first(pipeline, CommandRules::ofStage);
    }

    private static Optional<String> ofStage(Document stage) {
        if (stage.containsKey("$out") || stage.containsKey("$merge")) {
            return Optional.of("The embedded store takes no $out and no $merge.");
        }
        // The library would write the fields into what is stored.
        return stage.containsKey("$addFields") || stage.containsKey("$set")
                ? Optional.of("The embedded store takes no $addFields and no $set in a pipeline.")
                : Optional.empty();
    }

    private static Optional<String> ofInsert(Document document) {
        return document.containsKey("_id")
                ? Optional.empty()
                : Optional.of("The embedded store takes a new document only with an _id.");
    }

    private static Optional<String> ofUpdate(Document item, String selector, String change) {
        if (item.get(change) instanceof List<?>) {
            return Optional.of("The embedded store takes no updates by a pipeline.");
        }
        if (!(item.get(change) instanceof Document update)) {
            return Optional.empty();
        }
        if (update.containsKey("$currentDate")) {
            return Optional.of("The embedded store takes no $currentDate: give the date.");
        }
        boolean named =
                has(item.get(selector), "_id") || update.containsKey("_id") || has(update.get("$setOnInsert"), "_id");
        return isTrue(item.get("upsert")) && !named
                ? Optional.of("The embedded store takes an upsert only with an _id.")
                : Optional.empty();
    }

    private static boolean has(@Nullable Object document, String field) {
        return document instanceof Document one && one.containsKey(field);
    }

    private static boolean isTrue(@Nullable Object value) {
        return value instanceof Number number ? number.doubleValue() != 0 : Boolean.TRUE.equals(value);
    }
}
