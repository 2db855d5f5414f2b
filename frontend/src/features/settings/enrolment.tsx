import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useEffect, useState } from "react";
import { DRONE_TONES } from "../../app/drone-status-line";
import { IS_MAC } from "../../app/shortcuts";
import { useConnection } from "../../connection/connection";
import type { DroneView, EnrolmentView } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { StatusDot } from "../../ui/status-dot";

const SYSTEMS = ["Linux", "macOS"] as const;
type System = (typeof SYSTEMS)[number];

const KINDS = ["One file, built with GraalVM 25", "For a machine with Java 25"] as const;
type Kind = (typeof KINDS)[number];

const PATH = "~/.local/bin";
const JARS = "~/.local/share/gadget-drone";

/** What builds the program in a clone of the source and puts it where a shell finds it. */
function installLines(system: System, kind: Kind): string[] {
  // The install of macOS makes no directories.
  const native =
    system === "Linux"
      ? [`install -D -m 0755 drone-service/target/gadget-drone ${PATH}/gadget-drone`]
      : [`mkdir -p ${PATH}`, `install -m 0755 drone-service/target/gadget-drone ${PATH}/gadget-drone`];
  const jars = [
    `mkdir -p ${PATH} ~/.local/share && rm -rf ${JARS}`,
    `cp -r drone-service/target/quarkus-app ${JARS}`,
    `printf '#!/bin/sh\\nexec java -jar ${JARS}/quarkus-run.jar "$@"\\n' > ${PATH}/gadget-drone`,
    `chmod +x ${PATH}/gadget-drone`,
  ];
  return [
    ...(kind === KINDS[0] ? ["./gadget native drone", ...native] : ["./gadget build drone", ...jars]),
    `export PATH="$HOME/.local/bin:$PATH"`,
  ];
}

interface EnrolmentProps {
  enrolment: EnrolmentView;
  drones: readonly DroneView[];
  /** Asks for another code. */
  again(): void;
}

/** How a new machine becomes one with a drone: the program, the two commands, and what came of them. */
export function Enrolment({ enrolment, drones, again }: EnrolmentProps) {
  const [before] = useState(() => new Set(drones.map((drone) => drone.id)));
  const fresh = drones.find((drone) => !before.has(drone.id));
  const over = useIsOver(enrolment.expiresAt) && !fresh;
  const enrol = [
    `gadget-drone enroll --server ${window.location.origin} --code ${enrolment.code}`,
    "gadget-drone run",
  ];
  return (
    <section aria-label="Connect a drone" className="mb-6 rounded-xl border border-accent bg-accent-wash p-4">
      <Program open={before.size === 0} />
      <h3 className="mt-4 text-sm font-medium">Run it in the directory that it should work in</h3>
      <Commands lines={["cd path/to/your/workspace", ...enrol]} copied={enrol} />
      {over ? (
        <div className="mt-2 flex flex-wrap items-center gap-2 text-sm text-warn" role="status">
          The code was not used in time, and works no more.
          <Button size="small" onClick={again}>
            Get another code
          </Button>
        </div>
      ) : (
        <p className="mt-2 text-xs text-soft">
          The code works once, until{" "}
          {new Date(enrolment.expiresAt).toLocaleTimeString([], { timeStyle: "short" })}.
        </p>
      )}
      <p
        className="mt-3 flex flex-wrap items-center gap-2 text-sm"
        role="status"
        data-testid="enrolment-state"
      >
        {fresh ? <Fresh drone={fresh} /> : !over && <Waits />}
      </p>
    </section>
  );
}

function Waits() {
  return (
    <>
      <StatusDot tone="waiting" />
      Waiting for the drone …
    </>
  );
}

function Fresh({ drone }: { drone: DroneView }) {
  const away = drone.status === "offline";
  return (
    <>
      <StatusDot tone={DRONE_TONES[drone.status]} />
      <span>
        <bdi>{drone.name}</bdi>
        {away ? " is enrolled. Now start it: gadget-drone run" : ` is connected (${drone.status}).`}
      </span>
      {!away && (
        <Link to="/" className="text-accent underline underline-offset-4">
          Go on
        </Link>
      )}
    </>
  );
}

/** Where the program comes from: nobody offers it for download, so that it is built once for each kind of machine. */
function Program({ open }: { open: boolean }) {
  const [system, setSystem] = useState<System>(IS_MAC ? "macOS" : "Linux");
  const [kind, setKind] = useState<Kind>(KINDS[0]);
  const version = useConnection((connection) => connection.serviceVersion);
  const lines = installLines(system, kind);
  return (
    <details open={open} className="group/program">
      <summary className="flex items-center gap-1.5 text-sm font-medium">
        <ChevronRight
          size={14}
          aria-hidden
          className="shrink-0 transition-transform group-open/program:rotate-90"
        />
        Get the program, where the machine does not have it
      </summary>
      <p className="mt-2 text-sm text-soft">
        In a clone of Gadget’s source{version && `, version ${version} as this service`}. The file can be
        copied to other machines of the same kind.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Choice<System> name="system" words="System" all={SYSTEMS} chosen={system} choose={setSystem} />
        <Choice<Kind> name="kind" words="Kind" all={KINDS} chosen={kind} choose={setKind} />
      </div>
      <Commands lines={lines} copied={lines} />
      {system === "macOS" && (
        <p className="mt-2 text-xs text-soft">
          There is no sandbox for commands on macOS: the drone asks before each of them. Terminals are for
          Linux only.
        </p>
      )}
    </details>
  );
}

interface ChoiceProps<T extends string> {
  name: string;
  words: string;
  all: readonly T[];
  chosen: T;
  choose(one: T): void;
}

function Choice<T extends string>({ name, words, all, chosen, choose }: ChoiceProps<T>) {
  return (
    <fieldset className="flex flex-wrap rounded-lg border border-line-strong bg-raised p-0.5">
      <legend className="sr-only">{words}</legend>
      {all.map((one) => (
        <label
          key={one}
          className="cursor-pointer rounded-md px-2.5 py-1 text-xs has-checked:bg-accent has-checked:text-accent-ink has-focus-visible:outline-2"
        >
          <input
            type="radio"
            name={name}
            value={one}
            checked={one === chosen}
            onChange={() => choose(one)}
            className="sr-only"
          />
          {one}
        </label>
      ))}
    </fieldset>
  );
}

function Commands({ lines, copied }: { lines: readonly string[]; copied: readonly string[] }) {
  return (
    <div className="mt-2 rounded-lg border bg-raised">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
        tabIndex={0}
        className="thin-scroll overflow-x-auto px-3 py-2.5 font-mono text-xs leading-relaxed"
      >
        {lines.join("\n")}
      </pre>
      <div className="flex justify-end border-t px-1.5 py-1">
        <CopyButton text={copied.join("\n")} label="Copy the commands" />
      </div>
    </div>
  );
}

function useIsOver(at: string): boolean {
  const left = Date.parse(at) - Date.now();
  const [over, setOver] = useState(left <= 0);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), Math.max(0, Date.parse(at) - Date.now()));
    return () => clearTimeout(timer);
  }, [at]);
  return over;
}
