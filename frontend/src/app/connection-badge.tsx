import { useRef } from "react";
import { useConnection } from "../connection/connection";
import type { ConnectionState, DoorChoice, DoorName } from "../connection/door";
import { useOpenConnection } from "../connection/provider";
import { StatusDot, type Tone } from "../ui/status-dot";

/** The colour of each state, for its dot. */
export const CONNECTION_TONES: Record<ConnectionState, Tone> = {
  live: "good",
  connecting: "waiting",
  catching_up: "busy",
  offline: "bad",
};
export const DOOR_WORDS: Record<DoorName, string> = {
  websocket: "WebSocket",
  sse: "event stream",
  polling: "polling",
};
const CHOICES: Record<DoorChoice, string> = {
  auto: "Automatic",
  websocket: "WebSocket only",
  sse: "Event stream (SSE)",
  polling: "Polling",
};

export function connectionWords(state: ConnectionState, since: Date | null): string {
  switch (state) {
    case "live":
      return "Live";
    case "connecting":
      return "Connecting …";
    case "catching_up":
      return "Catching up …";
    case "offline":
      return since
        ? `Offline since ${since.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}`
        : "Offline";
  }
}

/** Whether the page hears of things as they happen, and by which door; a click lets another door be chosen. */
export function ConnectionBadge() {
  const { state, door, offlineSince, choice, serviceVersion } = useConnection();
  const connection = useOpenConnection();
  const details = useRef<HTMLDetailsElement>(null);
  return (
    <details ref={details} className="relative shrink-0">
      <summary
        data-testid="connection-state"
        data-state={state}
        data-door={door}
        title={`Connected by ${DOOR_WORDS[door]}`}
        className="flex h-7 items-center gap-2 rounded-full px-2.5 text-xs text-soft hover:bg-sunken"
      >
        <StatusDot tone={CONNECTION_TONES[state]} />
        <span role="status">
          <span className={state === "live" ? "max-sm:sr-only" : ""}>
            {connectionWords(state, offlineSince)}
          </span>
        </span>
      </summary>
      <div className="absolute right-0 z-20 mt-1 w-64 rounded-lg border bg-raised p-3 shadow-raised">
        <label htmlFor="door" className="text-xs font-medium text-soft">
          How the page hears of things
        </label>
        <select
          id="door"
          value={choice}
          onChange={(event) => {
            connection?.choose(event.target.value as DoorChoice);
            details.current?.removeAttribute("open");
          }}
          className="mt-1 h-8 w-full rounded-md border border-line-strong bg-raised px-2 text-sm"
        >
          {Object.entries(CHOICES).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
        <p className="mt-2 text-xs text-faint">
          In use: {DOOR_WORDS[door]}. Automatic falls back where a network stops sockets.
          {serviceVersion && ` Gadget ${serviceVersion}.`}
        </p>
      </div>
    </details>
  );
}
