import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Columns2, RefreshCw, Rows2 } from "lucide-react";
import { useState } from "react";
import { changesQuery, workspaceKey } from "../../api/files";
import { messageOf } from "../../api/http";
import type { SessionDetail } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Notice } from "../../ui/notice";
import { useWorkspaceAccess, type WorkspaceAccess } from "../files/workspace-access";
import { ChangeItem } from "./change-item";
import { CommitBox } from "./commit-box";
import { useDiffStyle } from "./diff-style";
import type { Undo } from "./revert";

/** More files are listed only when somebody wants them. */
const FILES_AT_ONCE = 200;

/** What differs from the last commit in the session's workspace. */
export function ChangesPanel({ session }: { session: SessionDetail }) {
  if (!session.workspaceId) {
    return (
      <EmptyState title="No workspace yet">
        The session's first prompt gives it one. Then what changes there is shown here.
      </EmptyState>
    );
  }
  return <Changes session={session} />;
}

function Changes({ session }: { session: SessionDetail }) {
  const { id: sessionId } = session;
  const client = useQueryClient();
  const changes = useQuery(changesQuery(sessionId));
  const access = useWorkspaceAccess(session, false);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState(FILES_AT_ONCE);
  const [reverted, setReverted] = useState<{ words: string; undo: Undo } | null>(null);
  const readAgain = () => client.invalidateQueries({ queryKey: workspaceKey(sessionId) });
  const files = changes.data?.files ?? [];

  function choose(path: string, chosen: boolean) {
    const next = new Set(left);
    if (chosen) next.delete(path);
    else next.add(path);
    setLeft(next);
  }

  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="changes">
      <div className="flex h-9 shrink-0 items-center gap-1 px-3">
        <p className="min-w-0 flex-1 truncate text-xs text-faint" role="status">
          {changes.data?.repository && countWords(files.length, changes.data.complete)}
        </p>
        <StyleButton />
        <Button
          kind="quiet"
          size="icon"
          aria-label="Read again"
          title="Read again"
          busy={changes.isFetching}
          onClick={() => void readAgain()}
        >
          <RefreshCw size={14} aria-hidden />
        </Button>
      </div>
      {changes.error && (
        <div className="px-3">
          <Notice tone="bad">{messageOf(changes.error)}</Notice>
        </div>
      )}
      {reverted && (
        <Reverted
          key={reverted.words}
          {...reverted}
          access={access}
          onDone={() => setReverted(null)}
          onUndone={readAgain}
        />
      )}
      {changes.isPending && <p className="px-3 py-2 text-sm text-faint">Asking git …</p>}
      {changes.data?.repository === false && (
        <EmptyState title="No repository">
          Changes are told by git, and the workspace is not the top of a git repository. “git init” makes it
          one.
        </EmptyState>
      )}
      {changes.data?.repository && files.length === 0 && (
        <EmptyState title="No changes">All is as in the last commit.</EmptyState>
      )}
      <ul className="thin-scroll min-h-0 flex-1 overflow-y-auto pb-4">
        {files.slice(0, shown).map((file) => (
          <ChangeItem
            key={file.path}
            sessionId={sessionId}
            file={file}
            access={access}
            chosen={!left.has(file.path)}
            onChoose={(chosen) => choose(file.path, chosen)}
            onReverted={(words, undo) => setReverted({ words, undo })}
          />
        ))}
        {files.length > shown && (
          <li className="p-2">
            <Button size="small" onClick={() => setShown(shown + FILES_AT_ONCE)}>
              Show {Math.min(FILES_AT_ONCE, files.length - shown)} more of {files.length.toLocaleString()}{" "}
              files
            </Button>
          </li>
        )}
      </ul>
      {(files.length > 0 || changes.data?.repository) && (
        <CommitBox
          sessionId={sessionId}
          paths={files.filter((file) => !left.has(file.path)).map((file) => file.path)}
          access={access}
        />
      )}
    </div>
  );
}

function StyleButton() {
  const { style, choose } = useDiffStyle();
  const next = style === "side" ? "inline" : "side";
  const words = next === "side" ? "Show differences side by side" : "Show differences line by line";
  return (
    <Button
      kind="quiet"
      size="icon"
      data-testid="diff-style"
      aria-label={words}
      title={words}
      onClick={() => choose(next)}
    >
      {next === "side" ? <Columns2 size={14} aria-hidden /> : <Rows2 size={14} aria-hidden />}
    </Button>
  );
}

interface RevertedProps {
  words: string;
  undo: Undo;
  access: WorkspaceAccess;
  onDone(): void;
  onUndone(): void;
}

/** Says what was put back, and takes it back. */
function Reverted({ words, undo, access, onDone, onUndone }: RevertedProps) {
  const back = useMutation({
    mutationFn: async () => {
      await access.takeOver();
      await undo();
    },
    onSuccess: () => {
      onDone();
      onUndone();
    },
  });
  return (
    <div className="px-3 pb-2">
      <Notice
        tone={back.error ? "bad" : "info"}
        action={
          <span className="flex gap-1">
            <Button size="small" busy={back.isPending} onClick={() => back.mutate()}>
              Undo
            </Button>
            <Button kind="quiet" size="small" onClick={onDone}>
              Close
            </Button>
          </span>
        }
      >
        {back.error ? messageOf(back.error) : words}
      </Notice>
    </div>
  );
}

function countWords(count: number, complete: boolean): string {
  const files = count === 1 ? "1 file differs" : `${count.toLocaleString()} files differ`;
  return `${files} from the last commit${complete ? "" : ", and more that are not shown"}`;
}
