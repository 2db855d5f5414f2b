import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, Check } from "lucide-react";
import type { ReactNode } from "react";
import { dronesQuery, projectsQuery, providersQuery, sessionsQuery } from "../api/queries";
import { Button } from "../ui/button";
import { PageHeader } from "./page-header";
import { useShell } from "./shell-context";

const LATEST = 6;

/** What to do next: the steps of the first run while any is open, else the latest sessions. */
export function HomePage() {
  const sessions = useQuery(sessionsQuery);
  const drones = useQuery(dronesQuery);
  const providers = useQuery(providersQuery);
  const projects = useQuery(projectsQuery);
  const known = sessions.data && drones.data && providers.data && projects.data;
  const connected = drones.data?.some((drone) => drone.status !== "offline") ?? false;
  const ready = connected && (providers.data?.length ?? 0) > 0 && (projects.data?.length ?? 0) > 0;
  return (
    <>
      <PageHeader>
        <h1 className="truncate text-sm font-medium">Start</h1>
      </PageHeader>
      <div className="thin-scroll min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-2xl px-4 py-10 sm:py-16">
          {known && (
            <>
              <h2 className="text-xl font-semibold tracking-tight text-balance">
                {ready ? "What shall be done?" : "A few steps, then your agents work."}
              </h2>
              <p className="mt-2 text-md text-soft">
                {ready
                  ? "A session is a conversation with a drone, which works in its workspace for you."
                  : "Each step is checked as you do it. You can come back here at any time."}
              </p>
              {!ready && (
                <FirstSteps
                  connected={connected}
                  enrolled={drones.data.length > 0}
                  providers={providers.data.length > 0}
                  projects={projects.data.length > 0}
                />
              )}
              {ready && <Latest sessions={sessions.data} />}
            </>
          )}
        </div>
      </div>
    </>
  );
}

function FirstSteps(done: { connected: boolean; enrolled: boolean; providers: boolean; projects: boolean }) {
  const { newSession } = useShell();
  const ready = done.connected && done.providers && done.projects;
  return (
    <ol className="mt-8 divide-y overflow-hidden rounded-xl border bg-raised">
      <Step done={done.connected} title="Connect a drone" number={1} section="drones">
        {done.enrolled && !done.connected
          ? "Your drone is enrolled, but not connected. Start it again in its workspace: gadget-drone run"
          : "A small program that you run in a directory of yours. It reads, edits and runs things there."}
      </Step>
      <Step done={done.providers} title="Add a model provider" number={2} section="providers">
        Anything that speaks the OpenAI API, or Ollama. Local or hosted.
      </Step>
      <Step done={done.projects} title="Name a project" number={3} section="projects">
        Sessions are kept by project.
      </Step>
      <li className="flex items-center gap-4 p-4">
        <StepMark done={false} number={4} />
        <div className="min-w-0 flex-1">
          <p className="font-medium">Begin a session</p>
          <p className="text-sm text-soft">Choose a model and say what you want done.</p>
        </div>
        <Button kind="primary" disabled={!ready} onClick={() => newSession()}>
          New session
        </Button>
      </li>
    </ol>
  );
}

function StepMark({ done, number }: { done: boolean; number: number }) {
  return (
    <span
      className={`grid size-7 shrink-0 place-items-center rounded-full text-sm font-medium ${done ? "bg-accent-wash text-accent" : "border border-line-strong text-soft"}`}
    >
      {done ? <Check size={15} aria-label="done" /> : number}
    </span>
  );
}

function Step(step: { done: boolean; title: string; number: number; section: string; children: ReactNode }) {
  return (
    <li>
      <Link
        to="/settings/$section"
        params={{ section: step.section }}
        className="flex items-center gap-4 p-4 hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <StepMark done={step.done} number={step.number} />
        <div className="min-w-0 flex-1">
          <p className={`font-medium ${step.done ? "text-soft" : ""}`}>{step.title}</p>
          <p className="text-sm text-soft">{step.children}</p>
        </div>
        <ArrowRight size={16} aria-hidden className="shrink-0 text-faint" />
      </Link>
    </li>
  );
}

function Latest({
  sessions,
}: {
  sessions: { id: string; name: string; model: string; updatedAt: string }[];
}) {
  const { newSession } = useShell();
  const latest = [...sessions].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt)).slice(0, LATEST);
  return (
    <>
      <Button kind="primary" className="mt-6 h-9 px-4" onClick={() => newSession()}>
        New session
      </Button>
      {latest.length > 0 && (
        <section className="mt-10">
          <h3 className="text-sm font-medium text-soft">Go on with</h3>
          <ul className="mt-2 divide-y overflow-hidden rounded-xl border bg-raised">
            {latest.map((session) => (
              <li key={session.id}>
                <Link
                  to="/sessions/$sessionId"
                  params={{ sessionId: session.id }}
                  className="flex items-baseline gap-3 px-4 py-2.5 hover:bg-sunken focus-visible:-outline-offset-2"
                >
                  <span className="min-w-0 flex-1 truncate font-medium" dir="auto">
                    {session.name}
                  </span>
                  <span className="max-w-32 truncate font-mono text-2xs text-faint">{session.model}</span>
                  <time dateTime={session.updatedAt} className="shrink-0 text-xs text-faint">
                    {new Date(session.updatedAt).toLocaleString([], {
                      dateStyle: "medium",
                      timeStyle: "short",
                    })}
                  </time>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
