import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { systemQuery, usersQuery } from "../../api/queries";
import { DRONE_TONES } from "../../app/drone-status-line";
import type { DoorKind, MemoryView, ProcessView, StoreKind, SystemView } from "../../protocol/messages.gen";
import { Notice } from "../../ui/notice";
import { StatusDot } from "../../ui/status-dot";
import { duration } from "../conversation/figures";
import { loadWords, SectionHead } from "./parts";

const STORES: Record<StoreKind, string> = {
  embedded: "Embedded, in the data directory",
  mongodb: "MongoDB",
};
const DOORS: Record<DoorKind, string> = {
  websocket: "Pages, by WebSocket",
  events: "Server-sent events",
  polling: "Polling, waiting now",
  terminal: "Terminals",
  drone: "Drones",
};
const MEBIBYTE = 1024 * 1024;
/** The heap grows to its limit before it is cleared: only near to it something is wrong. */
const FULL_SHARE = 0.9;

/** How the service is, for administrators. */
export function SystemSection() {
  const system = useQuery(systemQuery);
  return (
    <>
      <SectionHead
        title="System"
        about="The service as it is now; read every five seconds. Turns that run live in one process: all but the list of processes is about the one that answers."
      />
      {system.error && (
        <div className="mb-4">
          <Notice tone="bad">{system.error.message}</Notice>
        </div>
      )}
      {system.data ? (
        <System system={system.data} now={system.dataUpdatedAt} />
      ) : (
        system.isPending && <p className="text-sm text-faint">One moment …</p>
      )}
    </>
  );
}

function System({ system, now }: { system: SystemView; now: number }) {
  const { service, memory, store, turns, doors } = system;
  return (
    <div data-testid="system" className="flex flex-col gap-6">
      <div className="grid gap-6 sm:grid-cols-2">
        <Card
          title="Store"
          rows={[
            ["Kind", STORES[store.kind]],
            [
              "Answers",
              <span key="answers" className="flex items-center gap-1.5">
                <StatusDot tone={store.trouble ? "bad" : "good"} />
                {store.trouble ?? "yes"}
              </span>,
            ],
            [
              "Turns",
              <span key="saved" data-testid="saved" className="flex items-center gap-1.5">
                <StatusDot tone={store.saved ? "good" : "warn"} />
                {store.saved ? "all stored" : `${store.unsavedTurns} not saved yet`}
              </span>,
            ],
          ]}
        />
        <Card
          title="Turns in memory"
          rows={[
            ["Running", turns.running],
            ["Waiting", turns.waiting],
            ["Ended a moment ago", turns.ended],
          ]}
        />
        <Card
          title="Program"
          rows={[
            ["Version", service.version],
            ["Protocol", service.protocolVersion],
            ["Java", service.java],
            ["Machine", service.host],
            ["Up for", duration(Math.max(0, now - Date.parse(service.startedAt)))],
            ["Processors", loadWords(service.load)],
            ["Heap", heapWords(memory)],
          ]}
        />
        <Card title="Doors in use" rows={doors.map(({ door, readers }) => [DOORS[door], readers] as const)} />
      </div>
      <Processes system={system} now={now} />
      <Drones system={system} />
    </div>
  );
}

function heapWords({ usedBytes, maxBytes }: MemoryView): ReactNode {
  const words = mebibytes({ usedBytes, maxBytes });
  return usedBytes > FULL_SHARE * maxBytes ? <span className="text-warn">{words}, nearly full</span> : words;
}

function mebibytes({ usedBytes, maxBytes }: MemoryView): string {
  return `${Math.round(usedBytes / MEBIBYTE)} of ${Math.round(maxBytes / MEBIBYTE)} MiB`;
}

function Card({ title, rows }: { title: string; rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <section aria-label={title} className="min-w-0 rounded-xl border bg-raised px-4 py-3">
      <h3 className="mb-2 text-sm font-medium">{title}</h3>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-faint">{name}</dt>
            <dd className="text-right tabular-nums [overflow-wrap:anywhere] [&>span]:justify-end">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** All that use the store: what the others say is some seconds old. */
function Processes({ system, now }: { system: SystemView; now: number }) {
  // A process of an older version, which may answer while the service is replaced, tells of itself only.
  const processes = system.processes ?? [];
  return (
    <section aria-label="Processes">
      <h3 className="mb-2 text-sm font-medium">
        Processes <span className="font-normal text-faint">{processes.length}</span>
      </h3>
      <ul className="divide-y rounded-xl border bg-raised">
        {processes.map((process) => (
          <li key={process.id} data-testid="system-process" className="px-4 py-2.5">
            <p className="flex items-center gap-2 text-sm font-medium">
              <StatusDot tone={process.silent ? "bad" : process.saved ? "good" : "warn"} />
              <span className="truncate" dir="auto">
                {process.host}
              </span>
              {process.answers && <span className="text-xs font-normal text-faint">answers</span>}
              {process.silent && (
                <span className="shrink-0 text-xs font-normal text-bad">
                  not seen since{" "}
                  <time dateTime={process.seenAt}>{new Date(process.seenAt).toLocaleTimeString()}</time>
                </span>
              )}
            </p>
            <p className="text-xs text-faint [overflow-wrap:anywhere]">
              {processWords(process, now)}
              {process.version !== system.service.version && (
                <span className="text-warn"> · another version than the one that answers</span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function processWords(process: ProcessView, now: number): string {
  const by = (door: DoorKind) => process.doors.find((one) => one.door === door)?.readers ?? 0;
  const { turns, memory } = process;
  return [
    `Version ${process.version}`,
    process.silent
      ? `started ${new Date(process.startedAt).toLocaleString()}`
      : `up for ${duration(Math.max(0, now - Date.parse(process.startedAt)))}`,
    many(by("drone"), "drone"),
    many(by("websocket"), "page"),
    many(by("events") + by("polling"), "other reader"),
    many(by("terminal"), "terminal"),
    `${many(turns.running, "turn")} running, ${turns.waiting} waiting`,
    process.saved ? "all stored" : `${many(process.unsavedTurns, "turn")} not saved yet`,
    `heap ${mebibytes(memory)}`,
  ].join(" · ");
}

function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function Drones({ system }: { system: SystemView }) {
  const users = useQuery(usersQuery);
  return (
    <section aria-label="Connected drones">
      <h3 className="mb-2 text-sm font-medium">
        Connected drones <span className="font-normal text-faint">{system.drones.length}</span>
      </h3>
      {system.drones.length === 0 ? (
        <p className="text-sm text-faint">None is connected.</p>
      ) : (
        <ul className="divide-y rounded-xl border bg-raised">
          {system.drones.map((drone) => (
            <li key={drone.id} data-testid="system-drone" className="px-4 py-2.5">
              <p className="flex items-center gap-2 text-sm font-medium">
                <StatusDot tone={DRONE_TONES[drone.status]} />
                <span className="truncate" dir="auto">
                  {drone.name}
                </span>
                <span className="text-xs font-normal text-faint">{drone.status}</span>
              </p>
              <p className="text-xs text-faint [overflow-wrap:anywhere]">
                {[
                  `Version ${drone.version}`,
                  `${drone.hostname} (${drone.platform})`,
                  drone.load && loadWords(drone.load),
                  users.data?.find((user) => user.id === drone.ownerId)?.email,
                ]
                  .filter(Boolean)
                  .join(" · ")}
                {drone.version !== system.service.version && (
                  <span className="text-warn"> · another version than the service</span>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
