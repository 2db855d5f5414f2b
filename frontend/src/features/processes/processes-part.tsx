import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronRight, Square } from "lucide-react";
import { useId, useRef, useState } from "react";
import { messageOf } from "../../api/http";
import { processesQuery, processOutputQuery, runs, stopProcess } from "../../api/processes";
import type { BackgroundProcess, SessionDetail } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { PlainText } from "../../ui/plain-text";
import { StatusDot } from "../../ui/status-dot";
import { between, clock } from "../conversation/figures";
import { Text } from "../conversation/tool-block";
import { useNow } from "../conversation/use-now";
import { Part } from "../figures/plots";
import { useProcesses } from "./use-processes";

/** The commands that the session's agent left running, which also a person can read and end. */
export function ProcessesPart({ session }: { session: SessionDetail }) {
  const { data, error, there } = useProcesses(session);
  const latestFirst = data ? [...data].reverse() : [];
  const running = latestFirst.filter(runs);
  return (
    <Part title="Running in the background">
      {!there ? (
        <p className="text-sm text-faint">
          {session.workspaceId
            ? "The drone is away, so that it cannot be told what runs there."
            : "Nothing: the session has no workspace yet."}
        </p>
      ) : error ? (
        <p className="text-sm text-faint" role="status">
          {messageOf(error)}
        </p>
      ) : data && running.length === 0 ? (
        <p className="text-sm text-faint" data-testid="no-processes">
          Nothing runs. What the agent starts to go on by itself, as a server or a long build, is shown here.
        </p>
      ) : (
        !data && <p className="text-sm text-faint">Asking the drone …</p>
      )}
      {there && latestFirst.length > 0 && (
        <ul className="flex flex-col gap-2" data-testid="processes">
          {[...running, ...latestFirst.filter((one) => !runs(one))].map((process) => (
            <Row key={process.id} process={process} sessionId={session.id} />
          ))}
        </ul>
      )}
    </Part>
  );
}

function Row({ process, sessionId }: { process: BackgroundProcess; sessionId: string }) {
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const outputId = useId();
  const running = runs(process);
  const stop = useMutation({
    mutationFn: () => stopProcess(sessionId, process.id),
    onSuccess: (stopped) => {
      // The button goes: who pressed it goes on from beside it.
      if (document.activeElement?.closest("li")?.contains(toggle.current)) toggle.current?.focus();
      client.setQueryData(processesQuery(sessionId, false).queryKey, (all) =>
        all?.map((one) => (one.id === stopped.id ? stopped : one)),
      );
    },
  });
  return (
    <li
      data-testid="process"
      data-process={process.id}
      data-status={process.status}
      className="min-w-0 rounded-lg border bg-raised"
    >
      <div className="flex items-start gap-1 py-1 pr-1">
        <button
          ref={toggle}
          type="button"
          aria-expanded={open}
          aria-controls={outputId}
          onClick={() => setOpen(!open)}
          title={open ? "Hide its output" : "Show its output"}
          className="flex min-w-0 flex-1 gap-2 rounded-md px-2 py-1 text-left hover:bg-sunken"
        >
          <ChevronRight
            size={13}
            aria-hidden
            className={`mt-1 shrink-0 text-faint transition-transform ${open ? "rotate-90" : ""}`}
          />
          <span className="flex min-w-0 flex-1 flex-col">
            <span
              className={`font-mono text-xs leading-5 whitespace-pre-wrap [overflow-wrap:anywhere] ${open ? "" : "line-clamp-2"}`}
            >
              <PlainText text={process.command} />
            </span>
            <Standing process={process} />
          </span>
        </button>
        {running && (
          <Button
            kind="quiet"
            size="small"
            data-testid="process-stop"
            aria-label={stop.isPending ? `Stopping ${process.id}` : `Stop ${process.id}: ${process.command}`}
            disabled={stop.isPending}
            onClick={() => stop.mutate()}
          >
            {stop.isPending ? (
              "Stopping …"
            ) : (
              <>
                <Square size={11} aria-hidden />
                Stop
              </>
            )}
          </Button>
        )}
      </div>
      {stop.error && (
        <p role="alert" className="px-3 pb-2 text-xs text-bad">
          {messageOf(stop.error)}
        </p>
      )}
      <div id={outputId} hidden={!open} className="border-t px-3 py-2">
        {open && <Output process={process} sessionId={sessionId} />}
      </div>
      {!open && process.lastOutput && (
        <p
          dir="auto"
          data-testid="process-last"
          className="truncate px-3 pb-2 pl-7.5 font-mono text-2xs text-faint"
        >
          <PlainText text={process.lastOutput} />
        </p>
      )}
    </li>
  );
}

function Standing({ process }: { process: BackgroundProcess }) {
  const running = runs(process);
  const now = useNow(running);
  const took = running
    ? clock(Math.max(0, Math.floor((now - Date.parse(process.startedAt)) / 1_000)))
    : between(process.startedAt, process.endedAt);
  const failed = process.status === "exited" && process.exitCode !== 0;
  return (
    <span className="flex flex-wrap items-center gap-x-1.5 text-2xs text-faint tabular-nums">
      <StatusDot tone={running ? "busy" : failed ? "bad" : process.status === "exited" ? "good" : "idle"} />
      <span>{process.id}</span>
      <span data-testid="process-standing">
        {running
          ? `runs for ${took}`
          : process.status === "exited"
            ? `ended with exit code ${process.exitCode} after ${took}`
            : `stopped after ${took}`}
      </span>
      <time dateTime={process.startedAt} title={new Date(process.startedAt).toLocaleString()}>
        · started {new Date(process.startedAt).toLocaleTimeString([], { timeStyle: "short" })}
      </time>
    </span>
  );
}

/** The end of what it printed; it stays at its end until somebody scrolls away from it. */
function Output({ process, sessionId }: { process: BackgroundProcess; sessionId: string }) {
  const { data, error } = useQuery({
    ...processOutputQuery(sessionId, process),
    placeholderData: keepPreviousData,
  });
  if (error)
    return (
      <p role="status" className="text-xs text-bad">
        {messageOf(error)}
      </p>
    );
  if (!data) return <p className="text-xs text-faint">Reading …</p>;
  return (
    <div data-testid="process-output">
      {data.text ? (
        <Text title={data.complete ? "Output" : "The end of its output"} text={data.text} live />
      ) : (
        <p className="text-xs text-faint">It has printed nothing{runs(process) ? " yet" : ""}.</p>
      )}
    </div>
  );
}
