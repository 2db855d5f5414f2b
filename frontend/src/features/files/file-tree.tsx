import { useQueries } from "@tanstack/react-query";
import { ChevronRight, File, FileSymlink, Folder, FolderOpen } from "lucide-react";
import { type KeyboardEvent, useMemo, useRef } from "react";
import { folderQuery } from "../../api/files";
import { messageOf } from "../../api/http";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { PlainText } from "../../ui/plain-text";
import { StatusLetter } from "./status-letter";
import { ROOT, rows, step, type TreeRow } from "./tree";

const INDENT = 14;

export interface FileTreeProps {
  sessionId: string;
  open: ReadonlySet<string>;
  onOpen(folder: string, open: boolean): void;
  selected: string | null;
  onSelect(path: string): void;
  onFile(path: string): void;
  drafts: readonly string[];
}

/** The workspace as a tree; what is in a folder is asked when it is opened. */
export function FileTree({ sessionId, open, onOpen, selected, onSelect, onFile, drafts }: FileTreeProps) {
  const folders = [ROOT, ...open];
  const answers = useQueries({ queries: folders.map((folder) => folderQuery(sessionId, folder)) });
  const root = answers[0];
  const known = answers.map((answer) => answer.data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers are the dependency, not the list that holds them
  const shown = useMemo(
    () => rows(new Map(known.flatMap((folder) => (folder ? [[folder.path, folder.entries]] : []))), open),
    [...known, open],
  );
  const box = useRef<HTMLDivElement>(null);
  const focusable = shown.some((row) => row.path === selected) ? selected : shown[0]?.path;

  function activate(row: TreeRow) {
    onSelect(row.path);
    if (row.type === "folder") onOpen(row.path, !row.open);
    else if (row.type === "file") onFile(row.path);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const focused = (event.target as HTMLElement).dataset.path ?? selected;
    const row = shown.find((one) => one.path === focused);
    if ((event.key === "Enter" || event.key === " ") && row) {
      event.preventDefault();
      activate(row);
      return;
    }
    const next = step(shown, focused, event.key);
    if (!next) return;
    event.preventDefault();
    if ("open" in next) onOpen(next.open, true);
    else if ("close" in next) onOpen(next.close, false);
    else {
      onSelect(next.go);
      box.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(next.go)}"]`)?.focus();
    }
  }

  if (root?.error && !root.data) {
    return (
      <div className="p-3">
        <Notice
          tone="bad"
          action={
            <Button size="small" busy={root.isFetching} onClick={() => void root.refetch()}>
              Try again
            </Button>
          }
        >
          {messageOf(root.error)}
        </Notice>
      </div>
    );
  }
  if (!root?.data) return <p className="p-4 text-sm text-faint">Reading the workspace …</p>;
  if (shown.length === 0) return <p className="p-4 text-sm text-faint">The workspace is empty.</p>;
  return (
    <div
      ref={box}
      role="tree"
      aria-label="Files of the workspace"
      data-testid="tree"
      className="thin-scroll min-h-0 flex-1 overflow-auto py-1"
      onKeyDown={onKeyDown}
    >
      {shown.map((row) => (
        <Row
          key={row.path}
          row={row}
          selected={row.path === selected}
          focusable={row.path === focusable}
          unsaved={drafts.includes(row.path)}
          onClick={() => activate(row)}
        />
      ))}
      {answers.map((answer, index) =>
        answer.data && !answer.data.complete ? (
          <p key={folders[index]} className="px-3 py-1 text-2xs text-faint">
            <PlainText text={folders[index] === ROOT ? "The workspace" : (folders[index] ?? "")} /> has more
            names than are shown.
          </p>
        ) : (
          answer.error &&
          index > 0 && (
            <p key={folders[index]} className="px-3 py-1 text-2xs text-bad" role="alert">
              <PlainText text={`${folders[index]}: ${messageOf(answer.error)}`} />
            </p>
          )
        ),
      )}
    </div>
  );
}

function Row({
  row,
  selected,
  focusable,
  unsaved,
  onClick,
}: {
  row: TreeRow;
  selected: boolean;
  focusable: boolean;
  unsaved: boolean;
  onClick(): void;
}) {
  const folder = row.type === "folder";
  const Icon = folder ? (row.open ? FolderOpen : Folder) : row.type === "link" ? FileSymlink : File;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keys
    <div
      role="treeitem"
      aria-level={row.level}
      aria-expanded={folder ? row.open : undefined}
      aria-selected={selected}
      tabIndex={focusable ? 0 : -1}
      data-testid="tree-item"
      data-path={row.path}
      title={row.type === "link" ? `${row.name} leads nowhere, or outside the workspace` : row.name}
      onClick={onClick}
      style={{ paddingLeft: 6 + (row.level - 1) * INDENT }}
      className={`flex h-7 cursor-pointer items-center gap-1.5 pr-3 text-sm -outline-offset-2 hover:bg-sunken ${selected ? "bg-sunken text-ink" : "text-soft"}`}
    >
      <ChevronRight
        size={13}
        aria-hidden
        className={`shrink-0 text-faint ${folder ? "" : "invisible"} ${row.open ? "rotate-90" : ""}`}
      />
      <Icon size={14} aria-hidden className={`shrink-0 ${folder ? "text-accent" : "text-faint"}`} />
      <span className="min-w-0 flex-1 truncate" dir="auto">
        <PlainText text={row.name} />
      </span>
      {unsaved && <span className="shrink-0 text-2xs text-warn">unsaved</span>}
      {row.status && <StatusLetter status={row.status} />}
    </div>
  );
}
