package dev.gadget.code.store.mongo;

import dev.gadget.model.ApprovalRule;
import org.jspecify.annotations.Nullable;

/** A rule of a session as it is stored in it. */
public class RuleDocument {
    public String action = "";
    public @Nullable String tool;
    public @Nullable String path;
    public @Nullable String command;

    static RuleDocument from(ApprovalRule rule) {
        var document = new RuleDocument();
        document.action = StoredEnum.toStored(rule.action());
        document.tool = rule.tool();
        document.path = rule.path();
        document.command = rule.command();
        return document;
    }

    ApprovalRule toRule() {
        return new ApprovalRule(StoredEnum.fromStored(ApprovalRule.Action.class, action), tool, path, command);
    }
}
