// The way to the first answer: which steps there are, how far each is, and what to do next.
import type { DroneView, ProjectView, ProviderView, SessionView } from "../../protocol/messages.gen";

/** What a provider answered when it was asked for its models. */
export type ProviderTest =
  | { kind: "asking" }
  | { kind: "answers"; models: number }
  | { kind: "fails"; message: string };

export interface Known {
  drones: readonly DroneView[];
  providers: readonly ProviderView[];
  /** One for each provider, in their order. */
  tests: readonly ProviderTest[];
  projects: readonly ProjectView[];
  sessions: readonly SessionView[];
}

export type NextAction =
  | { kind: "settings"; section: "drones" | "providers" | "projects"; words: string }
  | { kind: "session"; sessionId: string; words: string }
  | { kind: "new-session"; words: string };

export interface Step {
  id: "drone" | "provider" | "project" | "prompt";
  title: string;
  state: "done" | "open" | "looking" | "failing";
  words: string;
  next: NextAction;
}

export function firstSteps(known: Known): Step[] {
  return [droneStep(known), providerStep(known), projectStep(known), promptStep(known)];
}

function droneStep({ drones }: Known): Step {
  const connected = drones.find((drone) => drone.status !== "offline");
  const step = { id: "drone", title: "Connect a drone" } as const;
  const next = (words: string) => ({ kind: "settings", section: "drones", words }) as const;
  if (connected)
    return { ...step, state: "done", words: `${connected.name} is connected.`, next: next("Drones") };
  if (drones.length > 0)
    return {
      ...step,
      state: "failing",
      words: "Your drone is enrolled, but not connected. Start it again in its workspace: gadget-drone run",
      next: next("Look at it"),
    };
  return {
    ...step,
    state: "open",
    words: "A small program that you run in a directory of yours. It reads, edits and runs things there.",
    next: next("Connect"),
  };
}

function providerStep({ providers, tests }: Known): Step {
  const step = { id: "provider", title: "Add a model provider" } as const;
  const next = (words: string) => ({ kind: "settings", section: "providers", words }) as const;
  if (providers.length === 0)
    return {
      ...step,
      state: "open",
      words: "Anything that speaks the OpenAI API, or Ollama. Local or hosted.",
      next: next("Add"),
    };
  const at = tests.findIndex((test) => test.kind === "answers");
  const answer = tests[at];
  if (answer?.kind === "answers")
    return {
      ...step,
      state: "done",
      words: `${providers[at]?.name ?? "It"} answers and offers ${answer.models} ${answer.models === 1 ? "model" : "models"}.`,
      next: next("Providers"),
    };
  const failure = tests.find((test) => test.kind === "fails");
  if (tests.some((test) => test.kind === "asking") || failure?.kind !== "fails")
    return { ...step, state: "looking", words: "Asking it whether it answers …", next: next("Providers") };
  return { ...step, state: "failing", words: failure.message, next: next("Look at it") };
}

function projectStep({ projects }: Known): Step {
  const step = { id: "project", title: "Name a project" } as const;
  const first = projects[0];
  return first
    ? {
        ...step,
        state: "done",
        words: projects.length === 1 ? `${first.name} is there.` : `There are ${projects.length}.`,
        next: { kind: "settings", section: "projects", words: "Projects" },
      }
    : {
        ...step,
        state: "open",
        words: "Sessions are kept by project.",
        next: { kind: "settings", section: "projects", words: "Name one" },
      };
}

function promptStep({ sessions }: Known): Step {
  const step = { id: "prompt", title: "Send a first prompt" } as const;
  const latest = [...sessions].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  if (latest.some((session) => session.runningTurnId || session.turnStatus))
    return { ...step, state: "done", words: "Done.", next: { kind: "new-session", words: "New session" } };
  const begun = latest.find((session) => !session.archived);
  return {
    ...step,
    state: "open",
    words: begun ? `The session ${begun.name} waits for it.` : "Begin a session and say what you want done.",
    next: begun
      ? { kind: "session", sessionId: begun.id, words: "Open it" }
      : { kind: "new-session", words: "New session" },
  };
}

/** The step to do now: of those before the prompt the first that is not done. */
export function nextStep(steps: readonly Step[]): Step | undefined {
  return steps.find((step) => step.state === "open" || step.state === "failing");
}
