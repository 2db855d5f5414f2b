import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Archive, ArchiveRestore, Ellipsis, FileJson, FileText, Pencil, Pin, PinOff } from "lucide-react";
import { type KeyboardEvent, memo, useRef, useState } from "react";
import { updateSession } from "../../api/sessions";
import type { SessionView, UpdateSession } from "../../protocol/messages.gen";
import { composes } from "../../ui/composing";
import { MenuButton } from "../../ui/menu";
import { mayTakeFocus } from "../../ui/return-focus";
import { StatusDot, type Tone } from "../../ui/status-dot";
import type { ExportForm } from "../conversation/export";
import { exportAs } from "../conversation/export-as";
import { type SessionState, stateOf } from "./groups";
import { useRenaming } from "./renaming";
import { isUnread, useSeen } from "./unread";

const LONGEST_NAME = 300;
const STATES: Record<Exclude<SessionState, "idle">, { tone: Tone; words: string }> = {
  running: { tone: "busy", words: "working" },
  waiting: { tone: "waiting", words: "waits for you" },
  failed: { tone: "bad", words: "failed" },
};

/** One session in the list: how it is, its name, and what can be done with it. The list is read anew with each event of any of them. */
export const SessionRow = memo(function SessionRow({ session }: { session: SessionView }) {
  const client = useQueryClient();
  const renaming = useRenaming((state) => state.id === session.id);
  const unread = useSeen((seen) => isUnread(session, seen));
  const link = useRef<HTMLAnchorElement>(null);
  const change = useMutation({
    mutationFn: (body: UpdateSession) => updateSession(client, session.id, body),
  });
  const download = useMutation({ mutationFn: (form: ExportForm) => exportAs(session.id, form) });
  const failure = change.error ?? download.error;
  const { rename, done } = useRenaming.getState();
  const row = useRef<HTMLLIElement>(null);
  const [refused, setRefused] = useState<string | null>(null);

  function onNamed(name: string | null, byKey: boolean) {
    done();
    setRefused(null);
    if (name !== null && name !== session.name) change.mutate({ name }, { onError: () => askAgain(name) });
    // Who left the box for another place goes on there.
    if (byKey) requestAnimationFrame(() => link.current?.focus());
  }

  function askAgain(name: string) {
    setRefused(name);
    if (useRenaming.getState().id === null) rename(session.id);
  }

  function onKeyDown(event: KeyboardEvent) {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "F2") rename(session.id);
    else if (by !== 0) focusRow(link.current, by);
    else return;
    event.preventDefault();
  }

  return (
    <li ref={row} className="group/row relative">
      {renaming ? (
        <NameBox
          name={refused ?? session.name}
          focused={refused === null || mayTakeFocus(row.current)}
          onDone={onNamed}
        />
      ) : (
        <>
          <Link
            ref={link}
            to="/sessions/$sessionId"
            params={{ sessionId: session.id }}
            data-session-link={session.id}
            data-testid="session-link"
            data-state={stateOf(session)}
            data-unread={unread}
            onKeyDown={onKeyDown}
            onDoubleClick={() => rename(session.id)}
            className="flex h-8 items-center gap-2 rounded-md pr-8 pl-2 text-sm text-soft hover:bg-sunken focus-visible:-outline-offset-2"
            activeProps={{ className: "bg-sunken !text-ink font-medium", "aria-current": "page" }}
          >
            <Mark state={stateOf(session)} unread={unread} />
            <span
              className={`min-w-0 flex-1 truncate text-left ${unread ? "font-semibold text-ink" : ""}`}
              title={session.name}
              dir="auto"
            >
              {session.name}
            </span>
          </Link>
          <MenuButton
            label={`More for ${session.name}`}
            className="absolute top-1 right-1 grid size-6 place-items-center rounded text-faint opacity-0 hover:bg-line hover:text-ink focus-visible:opacity-100 group-focus-within/row:opacity-100 group-hover/row:opacity-100 aria-expanded:opacity-100 pointer-coarse:opacity-100"
            items={[
              { words: "Rename", Icon: Pencil, run: () => rename(session.id) },
              {
                words: session.pinned ? "Unpin" : "Pin",
                Icon: session.pinned ? PinOff : Pin,
                run: () => change.mutate({ pinned: !session.pinned }),
              },
              {
                words: session.archived ? "Take out of the archive" : "Archive",
                Icon: session.archived ? ArchiveRestore : Archive,
                run: () => change.mutate({ archived: !session.archived }),
              },
              {
                words: "Export as Markdown",
                Icon: FileText,
                run: () => download.mutate("markdown"),
              },
              { words: "Export as JSON", Icon: FileJson, run: () => download.mutate("json") },
            ]}
          >
            <Ellipsis size={15} aria-hidden />
          </MenuButton>
        </>
      )}
      {failure && (
        <p role="alert" className="px-2 pb-1 text-xs text-bad [overflow-wrap:anywhere]">
          {failure.message}
        </p>
      )}
    </li>
  );
});

/** How the session is, in the place that every row keeps for it. */
function Mark({ state, unread }: { state: SessionState; unread: boolean }) {
  return (
    <span className="grid w-2 shrink-0 place-items-center">
      {state !== "idle" && (
        <>
          <StatusDot tone={STATES[state].tone} />
          <span className="sr-only">{STATES[state].words}</span>
        </>
      )}
      {unread && state === "idle" && <span aria-hidden className="size-2 rounded-full bg-accent" />}
      {unread && <span className="sr-only">new</span>}
    </span>
  );
}

function focusRow(from: HTMLElement | null, by: number) {
  const links = [...document.querySelectorAll<HTMLElement>("[data-session-link]")];
  const at = from ? links.indexOf(from) : -1;
  links[at + by]?.focus();
}

function NameBox({
  name,
  focused,
  onDone,
}: {
  name: string;
  focused: boolean;
  onDone(name: string | null, byKey: boolean): void;
}) {
  const [text, setText] = useState(name);
  const left = useRef(false);
  function leave(next: string | null, byKey: boolean) {
    if (left.current) return;
    left.current = true;
    onDone(next?.trim() || null, byKey);
  }
  return (
    <input
      aria-label="Name of the session"
      data-testid="session-name"
      dir="auto"
      maxLength={LONGEST_NAME}
      // biome-ignore lint/a11y/noAutofocus: the person has just asked to rename it
      autoFocus={focused}
      value={text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => leave(text, false)}
      onKeyDown={(event) => {
        if (composes(event.nativeEvent)) return;
        if (event.key === "Enter") leave(text, true);
        if (event.key === "Escape") {
          event.stopPropagation();
          leave(null, true);
        }
      }}
      className="h-8 w-full rounded-md border border-accent bg-raised px-2 text-sm outline-none"
    />
  );
}
