import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { MessageSquare, Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { messageOf } from "../../api/http";
import { projectsQuery, sessionsQuery } from "../../api/queries";
import { composes } from "../../ui/composing";
import { Keys } from "../../ui/keys";
import { useReturnFocus } from "../../ui/return-focus";
import { type Command, useCommands } from "./commands";
import { ranked } from "./fuzzy";

const MOST_SHOWN = 50;
const LATEST_SESSIONS = 5;

interface Row extends Command {
  /** Where it belongs to, for sessions. */
  about?: string;
  /** What is searched in. */
  text: string;
  isSession: boolean;
}

/** One box for everything: sessions and commands, found by a few of their letters. */
export function Palette({ onClose }: { onClose(): void }) {
  const rows = useRows();
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const [failure, setFailure] = useState<string | null>(null);
  const box = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  useReturnFocus();

  const shown = query.trim()
    ? ranked(query, rows.all, (row) => row.text).slice(0, MOST_SHOWN)
    : rows.first.map((item) => ({ item, at: [] as readonly number[] }));
  const at = Math.min(active, shown.length - 1);

  useEffect(() => {
    const dialog = box.current;
    if (!dialog) return;
    if (!dialog.open) dialog.showModal();
    const beside = (event: MouseEvent) => event.target === dialog && dialog.close();
    dialog.addEventListener("click", beside);
    return () => dialog.removeEventListener("click", beside);
  }, []);
  useEffect(() => {
    list.current?.querySelector(`[data-row="${at}"]`)?.scrollIntoView({ block: "nearest" });
  }, [at]);

  async function run(row: Row) {
    setFailure(null);
    try {
      const outcome = row.run();
      if (outcome instanceof Promise) await outcome;
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (composes(event.nativeEvent)) return;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const by = steps[event.key];
    if (by !== undefined && shown.length > 0) {
      event.preventDefault();
      const next = at + by;
      const round = Math.abs(by) === 1 ? (next + shown.length) % shown.length : next;
      setActive(Math.max(0, Math.min(shown.length - 1, round)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      const row = shown[at]?.item;
      if (row) void run(row);
    }
  }

  return (
    <dialog
      ref={box}
      aria-label="Find a session or a command"
      data-testid="palette"
      onClose={onClose}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className="mx-auto mt-[10dvh] mb-auto w-[calc(100%-1.5rem)] max-w-xl overflow-hidden rounded-xl border bg-raised p-0 text-ink shadow-dialog open:animate-rise"
    >
      <div className="flex max-h-[min(75dvh,34rem)] flex-col">
        <div className="flex h-12 shrink-0 items-center gap-2.5 border-b px-4">
          <Search size={16} aria-hidden className="shrink-0 text-faint" />
          <input
            role="combobox"
            aria-label="Find a session or a command"
            aria-expanded={true}
            aria-controls={`${id}-list`}
            aria-activedescendant={shown[at] ? `${id}-${at}` : undefined}
            aria-autocomplete="list"
            data-testid="palette-input"
            placeholder="Find a session or a command"
            dir="auto"
            maxLength={200}
            spellCheck={false}
            autoComplete="off"
            autoFocus
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setActive(0);
            }}
            onKeyDown={onKeyDown}
            className="h-full min-w-0 flex-1 bg-transparent text-md outline-none"
          />
          <Keys keys={["Esc"]} />
        </div>
        {failure && (
          <p role="alert" className="border-b px-4 py-2 text-sm text-bad [overflow-wrap:anywhere]">
            {failure}
          </p>
        )}
        <div
          ref={list}
          role="listbox"
          id={`${id}-list`}
          aria-label="What was found"
          className="thin-scroll min-h-0 flex-1 overflow-y-auto p-1.5"
        >
          {shown.map(({ item, at: marks }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the keys
            <div
              key={item.id}
              role="option"
              id={`${id}-${index}`}
              data-row={index}
              data-testid="palette-row"
              aria-selected={index === at}
              tabIndex={-1}
              onPointerMove={() => setActive(index)}
              onClick={() => void run(item)}
              className={`flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1 text-sm ${index === at ? "bg-sunken text-ink" : "text-soft"}`}
            >
              <item.Icon size={15} aria-hidden className="shrink-0 text-faint" />
              <span className="min-w-0 flex-1 truncate">
                <bdi>
                  <Marked text={item.words} at={marks} />
                </bdi>
              </span>
              {item.about && (
                <bdi className="max-w-[40%] shrink-0 truncate text-2xs text-faint">{item.about}</bdi>
              )}
              {item.keys && <Keys keys={item.keys} />}
            </div>
          ))}
        </div>
        {shown.length === 0 && (
          <p role="status" className="px-4 pb-4 text-sm text-faint">
            Nothing matches. Try fewer letters.
          </p>
        )}
      </div>
    </dialog>
  );
}

/** What the query meant in it, set off; what lies beyond the words themselves is not shown. */
function Marked({ text, at }: { text: string; at: readonly number[] }) {
  if (at.length === 0) return text;
  const meant = new Set(at);
  const runs: { text: string; meant: boolean }[] = [];
  [...text].forEach((letter, index) => {
    const last = runs.at(-1);
    if (last && last.meant === meant.has(index)) last.text += letter;
    else runs.push({ text: letter, meant: meant.has(index) });
  });
  return runs.map((run, index) =>
    run.meant ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the runs are shown as a whole
      <b key={index} className="font-semibold text-accent">
        {run.text}
      </b>
    ) : (
      run.text
    ),
  );
}

function useRows(): { all: Row[]; first: Row[] } {
  const navigate = useNavigate();
  const commands = useCommands();
  const { sessionId } = useParams({ strict: false });
  const sessions = useQuery(sessionsQuery);
  const projects = useQuery(projectsQuery);
  const rows: Row[] = commands.map((command) => ({ ...command, text: command.words, isSession: false }));
  const found: Row[] = [...(sessions.data ?? [])]
    .filter((session) => session.id !== sessionId)
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    .map((session) => {
      const project = projects.data?.find((one) => one.id === session.projectId)?.name ?? "";
      return {
        id: `session-${session.id}`,
        words: session.name,
        about: session.archived ? `${project} · archived` : project,
        text: `${session.name} ${project}`,
        isSession: true,
        Icon: MessageSquare,
        run: () => navigate({ to: "/sessions/$sessionId", params: { sessionId: session.id } }),
      };
    });
  return { all: [...found, ...rows], first: [...found.slice(0, LATEST_SESSIONS), ...rows] };
}
