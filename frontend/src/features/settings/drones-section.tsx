import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/http";
import { dronesQuery } from "../../api/queries";
import { DRONE_TONES } from "../../app/drone-status-line";
import type { DroneView, EnrolmentView } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { Notice } from "../../ui/notice";
import { StatusDot } from "../../ui/status-dot";
import { DeleteButton, ItemList, loadWords, SectionHead } from "./parts";

/** While a code waits the list is looked at this often, also where no socket tells of it. */
const LOOK_MILLIS = 2_000;
/** No socket tells how busy machines are. */
const LOAD_LOOK_MILLIS = 15_000;

export function DronesSection() {
  const enrol = useMutation({
    mutationFn: () => call<EnrolmentView>("/drones/enrolments", { method: "POST", body: {} }),
  });
  const drones = useQuery({ ...dronesQuery, refetchInterval: enrol.data ? LOOK_MILLIS : LOAD_LOOK_MILLIS });
  return (
    <>
      <SectionHead
        title="Drones"
        about="A drone is a program that you run in a directory of yours. It opens no port, and works only there."
        action={
          <Button kind="primary" busy={enrol.isPending} onClick={() => enrol.mutate()}>
            Connect a drone
          </Button>
        }
      />
      {enrol.error && <Notice tone="bad">{enrol.error.message}</Notice>}
      {enrol.data && <Enrolment key={enrol.data.code} enrolment={enrol.data} drones={drones.data ?? []} />}
      <ItemList
        query={drones}
        empty="No drone yet. “Connect a drone” gives you the two commands that start one."
      >
        {(drone) => <DroneItem drone={drone} />}
      </ItemList>
    </>
  );
}

function Enrolment({ enrolment, drones }: { enrolment: EnrolmentView; drones: DroneView[] }) {
  const [before] = useState(() => new Set(drones.map((drone) => drone.id)));
  const fresh = drones.find((drone) => !before.has(drone.id));
  const server = window.location.origin;
  const commands = [
    "cd path/to/your/workspace",
    `gadget-drone enroll --server ${server} --code ${enrolment.code}`,
    "gadget-drone run",
  ];
  return (
    <div className="mb-6 rounded-xl border border-accent bg-accent-wash p-4">
      <p className="text-sm font-medium">Run this in the directory that the drone should work in:</p>
      <div className="mt-2 rounded-lg border bg-raised">
        <pre className="thin-scroll overflow-x-auto px-3 py-2.5 font-mono text-xs leading-relaxed">
          {commands.join("\n")}
        </pre>
        <div className="flex justify-end border-t px-1.5 py-1">
          <CopyButton text={commands.slice(1).join("\n")} label="Copy the commands" />
        </div>
      </div>
      <p className="mt-2 text-xs text-soft">
        The code works once, until{" "}
        {new Date(enrolment.expiresAt).toLocaleTimeString([], { timeStyle: "short" })}.
      </p>
      <p className="mt-3 flex items-center gap-2 text-sm" role="status">
        {fresh ? (
          <>
            <StatusDot tone={DRONE_TONES[fresh.status]} />
            {fresh.status === "offline"
              ? `${fresh.name} is enrolled. Now start it: gadget-drone run`
              : `${fresh.name} is connected (${fresh.status}).`}
          </>
        ) : (
          <>
            <StatusDot tone="waiting" />
            Waiting for the drone …
          </>
        )}
      </p>
    </div>
  );
}

function DroneItem({ drone }: { drone: DroneView }) {
  return (
    <>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 font-medium">
          <StatusDot tone={DRONE_TONES[drone.status]} />
          <span className="truncate" dir="auto">
            {drone.name}
          </span>
          <span className="text-xs font-normal text-faint">{drone.status}</span>
        </p>
        <p className="truncate font-mono text-xs text-soft" title={drone.workspaceDir ?? undefined}>
          {drone.hostname}
          {drone.workspaceDir && `:${drone.workspaceDir}`}
        </p>
        <p className="text-xs text-faint">
          {[
            drone.version && `Version ${drone.version}`,
            drone.platform,
            drone.load && loadWords(drone.load),
            drone.status === "offline" &&
              drone.lastSeenAt &&
              `last seen ${new Date(drone.lastSeenAt).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}`,
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </div>
      <DeleteButton path={`/drones/${drone.id}`} list="drones" word="Revoke" />
    </>
  );
}
