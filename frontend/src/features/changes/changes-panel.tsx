import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronRight, FilePen, RefreshCw } from "lucide-react";
import { useId, useState } from "react";
import { changesQuery, diffQuery, workspaceKey } from "../../api/files";
import { messageOf } from "../../api/http";
import type { ChangedFile, SessionDetail } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Notice } from "../../ui/notice";
import { StatusLetter } from "../files/status-letter";
import { usePanel } from "../panel/panel-state";
import { FileDiffView } from "./diff-view";

/** What differs from the last commit in the session's workspace. */
export function ChangesPanel({ session }: { session: SessionDetail }) {
  if (!session.workspaceId) {
    return (
      <EmptyState title="No workspace yet">
        The session's first prompt gives it one. Then what changes there is shown here.
      </EmptyState>
    );
  }
  return <Changes sessionId={session.id} />;
}

function Changes({ sessionId }: { sessionId: string }) {
  const client = useQueryClient();
  const changes = useQuery(changesQuery(sessionId));
  const readAgain = () => client.invalidateQueries({ queryKey: workspaceKey(sessionId) });
  const files = changes.data?.files ?? [];
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="changes">
      <div className="flex h-9 shrink-0 items-center gap-2 px-3">
        <p className="min-w-0 flex-1 truncate text-xs text-faint" role="status">
          {changes.data?.repository && countWords(files.length, changes.data.complete)}
        </p>
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
        {files.map((file) => (
          <Change key={file.path} sessionId={sessionId} file={file} />
        ))}
      </ul>
    </div>
  );
}

function countWords(count: number, complete: boolean): string {
  const files = count === 1 ? "1 file differs" : `${count.toLocaleString()} files differ`;
  return `${files} from the last commit${complete ? "" : ", and more that are not shown"}`;
}

function Change({ sessionId, file }: { sessionId: string; file: ChangedFile }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const diff = useQuery({ ...diffQuery(sessionId, file.path), enabled: open });
  return (
    <li data-testid="change-item" data-path={file.path} data-status={file.status}>
      <div className="group flex h-8 items-center gap-1 pr-2 hover:bg-sunken">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="flex h-full min-w-0 flex-1 items-center gap-1.5 pl-2 text-left text-sm -outline-offset-2"
        >
          <ChevronRight size={13} aria-hidden className={`shrink-0 text-faint ${open ? "rotate-90" : ""}`} />
          <StatusLetter status={file.status} />
          <span className="min-w-0 flex-1 truncate font-mono text-xs" title={file.path} dir="auto">
            {file.path}
          </span>
        </button>
        {file.status !== "D" && (
          <button
            type="button"
            aria-label={`Open ${file.path}`}
            title="Open the file"
            onClick={() => usePanel.getState().openFile(file.path)}
            className="rounded p-1 text-faint hover:bg-raised hover:text-ink"
          >
            <FilePen size={13} aria-hidden />
          </button>
        )}
      </div>
      <div id={id} hidden={!open}>
        {open && diff.error && (
          <div className="p-3">
            <Notice tone="bad">{messageOf(diff.error)}</Notice>
          </div>
        )}
        {open && diff.isPending && !diff.error && (
          <p className="px-3 py-2 text-xs text-faint">Asking git …</p>
        )}
        {open && diff.data && <FileDiffView diff={diff.data.diff} />}
        {open && diff.data && !diff.data.complete && (
          <p className="px-3 py-2 text-xs text-faint">The diff is cut at 1 MiB.</p>
        )}
      </div>
    </li>
  );
}
