import { RotateCcw, Square } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useDroneOf } from "../../api/drones";
import { useSignIn } from "../../api/sign-in";
import type { SessionDetail } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { EmptyState } from "../../ui/empty-state";
import { Notice } from "../../ui/notice";
import { mayTakeFocus } from "../../ui/return-focus";
import { SureButton } from "../../ui/sure-button";
import { Screen } from "./screen";
import { forgetTerminal, terminalIdOf } from "./terminal-id";
import { type LineState, TerminalLine } from "./terminal-line";

const TURNS_ON = "gadget-drone run --terminal";
const FONT = '12.5px "JetBrains Mono Variable"';

/** A shell in the session's workspace, on the drone's machine. */
export function TerminalPanel({ session }: { session: SessionDetail }) {
  if (!session.workspaceId) {
    return (
      <EmptyState title="No workspace yet">
        The session's first prompt gives it one. Then there can be a terminal in it.
      </EmptyState>
    );
  }
  return <WorkspaceTerminal key={session.id} session={session} />;
}

function WorkspaceTerminal({ session }: { session: SessionDetail }) {
  const [state, setState] = useState<LineState>({ is: "connecting" });
  const [attempt, setAttempt] = useState(0);
  const host = useRef<HTMLDivElement>(null);
  const line = useTerminal(host, session.id, attempt, setState);
  const drone = useDroneOf(session.workspaceId);
  const connected = drone !== undefined && drone.status !== "offline";

  useEffect(() => {
    if (connected) line.current?.hurry();
  }, [connected, line]);

  function another() {
    forgetTerminal(session.id);
    again();
  }

  function again() {
    setState({ is: "connecting" });
    setAttempt((before) => before + 1);
  }

  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="terminal" data-state={state.is}>
      <div className="flex h-9 shrink-0 items-center gap-2 px-3">
        <p className="min-w-0 flex-1 truncate text-xs text-faint" role="status">
          {state.is === "open" && "Shift+Esc leaves the terminal."}
          {state.is === "open" && drone?.name && ` It runs on ${drone.name}.`}
          {state.is === "connecting" && "Connecting …"}
        </p>
        {state.is === "open" && (
          <SureButton
            kind="quiet"
            size="icon"
            aria-label="End the terminal"
            title="End the terminal and all that runs in it"
            data-testid="terminal-end"
            ask="End all that runs in it?"
            onSure={() => line.current?.end()}
          >
            <Square size={13} aria-hidden />
          </SureButton>
        )}
      </div>
      <StateNotice state={state} onAgain={again} onAnother={another} />
      <div className="min-h-0 flex-1 overflow-hidden pb-1 pl-3">
        <div ref={host} data-testid="terminal-screen" className="size-full font-mono" />
      </div>
    </div>
  );
}

function StateNotice({
  state,
  onAgain,
  onAnother,
}: {
  state: LineState;
  onAgain(): void;
  onAnother(): void;
}) {
  if (state.is === "closed") {
    return (
      <div className="px-3 pb-2" data-testid="terminal-closed">
        <Notice
          action={
            <Button size="small" data-testid="terminal-another" onClick={onAnother}>
              <RotateCcw size={12} aria-hidden /> Start another
            </Button>
          }
        >
          {state.exitCode === undefined
            ? "The terminal was ended."
            : `The shell ended with exit code ${state.exitCode}.`}
        </Notice>
      </div>
    );
  }
  if (state.is !== "refused") return null;
  const { failure, passes } = state;
  const off = failure.code === "forbidden";
  return (
    <div className="px-3 pb-2" data-testid="terminal-refused" data-code={failure.code}>
      <Notice
        tone={off ? "info" : "warn"}
        action={
          <Button size="small" onClick={onAgain}>
            {failure.code === "conflict" ? "Show it here" : "Try again"}
          </Button>
        }
      >
        {failure.message}
        {passes && " It is tried again by itself."}
        {off && (
          <span className="mt-1.5 flex items-center gap-1">
            <code className="rounded bg-ground px-1.5 py-0.5 font-mono text-xs text-ink">{TURNS_ON}</code>
            <CopyButton text={TURNS_ON} />
          </span>
        )}
      </Notice>
    </div>
  );
}

/** Keeps a screen in the host and a line to the terminal, until the panel goes; the terminal itself stays for some minutes. */
function useTerminal(
  host: React.RefObject<HTMLDivElement | null>,
  sessionId: string,
  attempt: number,
  onState: (state: LineState) => void,
): React.RefObject<TerminalLine | null> {
  const line = useRef<TerminalLine | null>(null);

  const start = useCallback(
    (element: HTMLElement): (() => void) => {
      const screen = new Screen(element, {
        typed: (text) => opened.type(text),
        resized: () => line.current?.resize(),
        leave: () => document.getElementById("panel-tab-terminal")?.focus(),
      });
      const opened = new TerminalLine(sessionId, terminalIdOf(sessionId), {
        state: (state) => {
          if (state.is === "closed") forgetTerminal(sessionId);
          if (state.is === "signed_out") useSignIn.getState().left(true);
          // It also opens by itself; what somebody types elsewhere must not run in a shell.
          if (state.is === "open" && element.checkVisibility() && mayTakeFocus(element.closest("aside")))
            screen.focus();
          onState(state);
        },
        reset: () => screen.reset(),
        output: (text, earlier, shown) => screen.write(text, earlier, shown),
        size: () => screen.size(),
      });
      line.current = opened;
      return () => {
        line.current = null;
        opened.leave();
        screen.dispose();
      };
    },
    [sessionId, onState],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt is a new line
  useEffect(() => {
    let stop: (() => void) | undefined;
    let gone = false;
    // Its cells are as wide as its letters: those have to be there first.
    void document.fonts
      .load(FONT)
      .catch(() => [])
      .then(() => {
        if (!gone && host.current) stop = start(host.current);
      });
    return () => {
      gone = true;
      stop?.();
    };
  }, [host, start, attempt]);

  return line;
}
