import { describe, expect, test } from "vitest";
import type { DroneView, ProviderView } from "../../protocol/messages.gen";
import { aSession } from "../session-list/a-session";
import { firstSteps, type Known, nextStep } from "./steps";

const drone = (status: DroneView["status"]): DroneView => ({
  id: "d",
  name: "laptop",
  status,
  createdAt: "",
});
const provider: ProviderView = {
  id: "v",
  name: "Local",
  type: "ollama",
  baseUrl: "http://127.0.0.1:11434",
  disableStreaming: false,
  hasApiKey: false,
  prices: [],
  createdAt: "",
};
const project = { id: "p", name: "Shop", slug: "shop", createdAt: "" };
const nothing: Known = { drones: [], providers: [], tests: [], projects: [], sessions: [] };
const all: Known = {
  drones: [drone("available")],
  providers: [provider],
  tests: [{ kind: "answers", models: 2 }],
  projects: [project],
  sessions: [aSession({ turnStatus: "finished" })],
};
const states = (known: Known) => firstSteps(known).map((step) => step.state);

describe("the first steps", () => {
  test("with nothing there all are open, and the first is next", () => {
    expect(states(nothing)).toEqual(["open", "open", "open", "open"]);
    expect(nextStep(firstSteps(nothing))?.next).toEqual({
      kind: "settings",
      section: "drones",
      words: "Connect",
    });
  });

  test("when all is done nothing is next", () => {
    expect(states(all)).toEqual(["done", "done", "done", "done"]);
    expect(nextStep(firstSteps(all))).toBeUndefined();
    expect(firstSteps(all)[1]?.words).toBe("Local answers and offers 2 models.");
  });

  test("a drone that is away and a provider that does not answer are told, with what they said", () => {
    const known: Known = {
      ...all,
      drones: [drone("offline")],
      tests: [{ kind: "fails", message: "It refuses the key." }],
    };
    expect(states(known)).toEqual(["failing", "failing", "done", "done"]);
    expect(firstSteps(known)[1]?.words).toBe("It refuses the key.");
  });

  test("a provider counts as tested when one of several answers, and not before", () => {
    const two = { ...all, providers: [provider, { ...provider, id: "w", name: "Other" }] };
    const tests = [{ kind: "fails", message: "No." }, { kind: "asking" }] as const;
    expect(states({ ...two, tests })[1]).toBe("looking");
    expect(states({ ...two, tests: [tests[0], { kind: "answers", models: 1 }] })[1]).toBe("done");
    expect(nextStep(firstSteps({ ...two, tests }))).toBeUndefined();
  });

  test("a session in which nothing was said is the place for the first prompt", () => {
    expect(nextStep(firstSteps({ ...all, sessions: [aSession()] }))?.next).toMatchObject({
      kind: "session",
      sessionId: "s1",
    });
    expect(nextStep(firstSteps({ ...all, sessions: [aSession({ archived: true })] }))?.next.kind).toBe(
      "new-session",
    );
  });
});
