import { useMutation, useQuery } from "@tanstack/react-query";
import { call } from "../../api/http";
import { dronesQuery } from "../../api/queries";
import { DRONE_TONES } from "../../app/drone-status-line";
import type { DroneView, EnrolmentView } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { StatusDot } from "../../ui/status-dot";
import { Enrolment } from "./enrolment";
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
      {enrol.data && drones.data && (
        <Enrolment
          key={enrol.data.code}
          enrolment={enrol.data}
          drones={drones.data}
          again={() => enrol.mutate()}
        />
      )}
      <ItemList
        query={drones}
        empty={
          enrol.data
            ? "The drone appears here as soon as it is enrolled."
            : "No drone yet. “Connect a drone” says how to get the program, and gives you the two commands that start it."
        }
      >
        {(drone) => <DroneItem drone={drone} />}
      </ItemList>
    </>
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
