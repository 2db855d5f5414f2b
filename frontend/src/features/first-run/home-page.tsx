import { useQueries, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Check, CircleAlert } from "lucide-react";
import { messageOf } from "../../api/http";
import { dronesQuery, modelsQuery, projectsQuery, providersQuery, sessionsQuery } from "../../api/queries";
import { PageHeader } from "../../app/page-header";
import { useShell } from "../../app/shell-context";
import type { SessionView } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { firstSteps, type NextAction, nextStep, type ProviderTest, type Step } from "./steps";

const LATEST = 6;

/** What to do next: the steps to the first answer until it is there, afterwards the latest sessions and what is in their way. */
export function HomePage() {
  const { steps, sessions, error, retry } = useSteps();
  return (
    <>
      <PageHeader>
        <h1 className="truncate text-sm font-medium">Start</h1>
      </PageHeader>
      <div className="thin-scroll min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-2xl px-4 py-10 sm:py-16">
          {error && (
            <Notice
              tone="bad"
              action={
                <Button size="small" onClick={retry}>
                  Try again
                </Button>
              }
            >
              {messageOf(error)}
            </Notice>
          )}
          {!error && !steps && <p className="text-sm text-faint">Looking around …</p>}
          {steps &&
            (steps.at(-1)?.state === "done" ? (
              <Everyday steps={steps} sessions={sessions} />
            ) : (
              <FirstRun steps={steps} />
            ))}
        </div>
      </div>
    </>
  );
}

function useSteps() {
  const sessions = useQuery(sessionsQuery);
  const drones = useQuery(dronesQuery);
  const providers = useQuery(providersQuery);
  const projects = useQuery(projectsQuery);
  const answers = useQueries({ queries: (providers.data ?? []).map((one) => modelsQuery(one.id)) });
  const tests = answers.map(({ data, error }): ProviderTest => {
    if (data) return { kind: "answers", models: data.length };
    return error ? { kind: "fails", message: messageOf(error) } : { kind: "asking" };
  });
  const known = sessions.data && drones.data && providers.data && projects.data;
  const lists = [sessions, drones, providers, projects];
  return {
    sessions: sessions.data ?? [],
    steps: known
      ? firstSteps({
          drones: drones.data,
          providers: providers.data,
          tests,
          projects: projects.data,
          sessions: sessions.data,
        })
      : null,
    error: known ? null : (lists.find((list) => list.error)?.error ?? null),
    retry: () => void Promise.all(lists.map((list) => list.refetch())),
  };
}

function FirstRun({ steps }: { steps: Step[] }) {
  return (
    <>
      <h2 className="text-xl font-semibold tracking-tight text-balance">
        A few steps, then your agents work.
      </h2>
      <p className="mt-2 text-md text-soft">
        Each step is checked as you do it. You can come back here at any time.
      </p>
      <StepList steps={steps} />
    </>
  );
}

function Everyday({ steps, sessions }: { steps: Step[]; sessions: readonly SessionView[] }) {
  const { newSession } = useShell();
  const inTheWay = steps.filter((step) => step.state === "open" || step.state === "failing");
  const latest = [...sessions]
    .filter((session) => !session.archived)
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    .slice(0, LATEST);
  return (
    <>
      <h2 className="text-xl font-semibold tracking-tight text-balance">What should be done?</h2>
      <p className="mt-2 text-md text-soft">
        A session is a conversation with a drone, which works in its workspace for you.
      </p>
      <Button kind="primary" className="mt-6 h-9 px-4" onClick={() => newSession()}>
        New session
      </Button>
      {inTheWay.length > 0 && (
        <section className="mt-10" aria-label="Before the next prompt">
          <h3 className="text-sm font-medium text-soft">Before the next prompt</h3>
          <StepList steps={inTheWay} />
        </section>
      )}
      {latest.length > 0 && <Latest sessions={latest} />}
    </>
  );
}

function StepList({ steps }: { steps: Step[] }) {
  const next = nextStep(steps);
  return (
    <ol className="mt-4 divide-y overflow-hidden rounded-xl border bg-raised">
      {steps.map((step, index) => (
        <li
          key={step.id}
          data-testid="step"
          data-step={step.id}
          data-state={step.state}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4"
        >
          <StepMark state={step.state} number={index + 1} />
          <div className="min-w-0 flex-1 basis-48">
            <p className={`font-medium ${step.state === "done" ? "text-soft" : ""}`}>{step.title}</p>
            <p
              role="status"
              className={`text-sm [overflow-wrap:anywhere] ${step.state === "failing" ? "text-bad" : "text-soft"}`}
            >
              {step.words}
            </p>
          </div>
          {step.state !== "done" && <StepButton next={step.next} first={step === next} />}
        </li>
      ))}
    </ol>
  );
}

function StepMark({ state, number }: { state: Step["state"]; number: number }) {
  const tone =
    state === "done"
      ? "bg-accent-wash text-accent"
      : state === "failing"
        ? "bg-bad-wash text-bad"
        : "border border-line-strong text-soft";
  return (
    <span className={`grid size-7 shrink-0 place-items-center rounded-full text-sm font-medium ${tone}`}>
      {state === "done" ? (
        <Check size={15} role="img" aria-label="done" />
      ) : state === "failing" ? (
        <CircleAlert size={15} role="img" aria-label="needs you" />
      ) : (
        number
      )}
    </span>
  );
}

function StepButton({ next, first }: { next: NextAction; first: boolean }) {
  const navigate = useNavigate();
  const { newSession } = useShell();
  function go() {
    switch (next.kind) {
      case "settings":
        return void navigate({ to: "/settings/$section", params: { section: next.section } });
      case "session":
        return void navigate({ to: "/sessions/$sessionId", params: { sessionId: next.sessionId } });
      case "new-session":
        return newSession();
    }
  }
  return (
    <Button kind={first ? "primary" : "plain"} className="max-sm:ml-11" onClick={go}>
      {next.words}
    </Button>
  );
}

function Latest({ sessions }: { sessions: readonly SessionView[] }) {
  return (
    <section className="mt-10" aria-label="Go on with">
      <h3 className="text-sm font-medium text-soft">Go on with</h3>
      <ul className="mt-2 divide-y overflow-hidden rounded-xl border bg-raised">
        {sessions.map((session) => (
          <li key={session.id}>
            <Link
              to="/sessions/$sessionId"
              params={{ sessionId: session.id }}
              className="flex items-baseline gap-3 px-4 py-2.5 hover:bg-sunken focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 flex-1 truncate text-left font-medium" dir="auto">
                {session.name}
              </span>
              <span className="max-w-32 truncate font-mono text-2xs text-faint max-sm:hidden">
                {session.model}
              </span>
              <time dateTime={session.updatedAt} className="shrink-0 text-xs text-faint">
                {moment(session.updatedAt)}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Of today the time says enough, of another day the day: the name of the session needs the room. */
function moment(at: string): string {
  const then = new Date(at);
  return then.toDateString() === new Date().toDateString()
    ? then.toLocaleTimeString([], { timeStyle: "short" })
    : then.toLocaleDateString([], { dateStyle: "medium" });
}
