import { useMutation, useQueryClient } from "@tanstack/react-query";
import { GitCommitHorizontal } from "lucide-react";
import type { KeyboardEvent } from "react";
import { commitChanges, workspaceKey } from "../../api/files";
import { messageOf } from "../../api/http";
import { Button } from "../../ui/button";
import { composes } from "../../ui/composing";
import { Notice } from "../../ui/notice";
import { draftOf, useDraft } from "../conversation/draft";
import type { WorkspaceAccess } from "../files/workspace-access";

interface CommitBoxProps {
  sessionId: string;
  /** The files that are committed. */
  paths: readonly string[];
  access: WorkspaceAccess;
}

/** Commits the chosen files as they are now. */
export function CommitBox({ sessionId, paths, access }: CommitBoxProps) {
  const client = useQueryClient();
  const draft = `${sessionId}/commit`;
  const [message, setMessage] = useDraft(draft);
  const commit = useMutation({
    mutationFn: async (message: string) => {
      await access.takeOver();
      return commitChanges(sessionId, { message, paths: [...paths] });
    },
    onSuccess: (_, committed) => {
      // What was typed meanwhile is for the next one.
      if (draftOf(draft) === committed) setMessage("");
      return client.invalidateQueries({ queryKey: workspaceKey(sessionId) });
    },
  });
  const ready =
    message.trim() !== "" && paths.length > 0 && access.mode !== "agent" && access.mode !== "away";

  function onKeyDown(event: KeyboardEvent) {
    if (composes(event.nativeEvent)) return;
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !ready || commit.isPending) return;
    event.preventDefault();
    commit.mutate(message);
  }

  return (
    <form
      aria-label="Commit"
      onSubmit={(event) => {
        event.preventDefault();
        commit.mutate(message);
      }}
      className="flex flex-col gap-2 border-t p-3"
    >
      <textarea
        aria-label="Message of the commit"
        data-testid="commit-message"
        placeholder="What this commit does, and why"
        dir="auto"
        rows={2}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
        onKeyDown={onKeyDown}
        className="thin-scroll field-sizing-content max-h-40 w-full resize-none rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-sm"
      />
      {commit.error && <Notice tone="bad">{messageOf(commit.error)}</Notice>}
      <div className="flex items-center gap-2">
        <p role="status" className="min-w-0 flex-1 text-xs text-faint">
          {commit.data && !message
            ? `Committed as ${commit.data.commit}.`
            : access.mode === "agent"
              ? "The agent works here; commit when its turn is over."
              : "The author is whom git’s settings name."}
        </p>
        <Button
          kind="primary"
          type="submit"
          data-testid="commit"
          disabled={!ready}
          busy={commit.isPending}
          title="Commit the chosen files as they are now"
        >
          <GitCommitHorizontal size={14} aria-hidden />
          Commit {paths.length === 1 ? "1 file" : `${paths.length.toLocaleString()} files`}
        </Button>
      </div>
    </form>
  );
}
