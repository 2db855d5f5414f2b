import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import type {
  IdeCommandUnion,
  IdeEventUnion,
  TerminalCommandUnion,
  TerminalEventUnion,
  TurnChangeUnion,
} from "./messages.gen";

// The same files that the Java records are tested against.
const samples = join(process.cwd(), "../shared-model/src/test/resources/samples");

// A list of exactly the discriminators of a union: one too many or one too few does not compile.
const exactly =
  <T extends string>() =>
  <const L extends readonly T[]>(list: [T] extends [L[number]] ? L : never) =>
    [...list].sort();

const families: Record<string, { key: "type" | "kind"; names: string[] }> = {
  "ide-command": {
    key: "type",
    names: exactly<IdeCommandUnion["type"]>()([
      "cancel_turn",
      "close_session",
      "decide_approval",
      "follow_turn",
      "hello",
      "open_session",
      "ping",
      "submit_prompt",
    ]),
  },
  "ide-event": {
    key: "type",
    names: exactly<IdeEventUnion["type"]>()([
      "answer",
      "drone_changed",
      "durability_changed",
      "pong",
      "refused",
      "session_changed",
      "turn_changed",
      "turn_started",
      "welcome",
      "workspace_mode_changed",
      "lists_changed",
    ]),
  },
  "terminal-command": {
    key: "type",
    names: exactly<TerminalCommandUnion["type"]>()([
      "acknowledge",
      "close",
      "input",
      "open",
      "ping",
      "resize",
    ]),
  },
  "terminal-event": {
    key: "type",
    names: exactly<TerminalEventUnion["type"]>()(["closed", "opened", "output", "pong", "refused"]),
  },
  "turn-change": {
    key: "kind",
    names: exactly<TurnChangeUnion["kind"]>()([
      "awaiting_confirmation",
      "block_closed",
      "block_superseded",
      "call_grows",
      "done",
      "error",
      "files_changed",
      "retrying",
      "snapshot",
      "status",
      "text_delta",
      "tool_output",
      "tool_state",
      "usage",
    ]),
  },
};

describe.each(Object.entries(families))("the samples of %s", (family, { key, names }) => {
  const files = readdirSync(join(samples, family)).sort();

  it("are those that the page knows", () => {
    expect(files).toEqual(names.map((name) => `${name}.json`));
  });

  it.each(files)("%s says what it is", (file) => {
    const sample = JSON.parse(readFileSync(join(samples, family, file), "utf8")) as Record<string, unknown>;
    expect(`${sample[key]}.json`).toBe(file);
  });
});

it("a cursor and an instant are text for the page", () => {
  type Changed = Extract<IdeEventUnion, { type: "turn_changed" }>;
  expectTypeOf<Changed["cursor"]>().toEqualTypeOf<string>();
  const sample = JSON.parse(readFileSync(join(samples, "ide-event/turn_changed.json"), "utf8")) as Changed;
  expect(typeof sample.cursor).toBe("string");
});

it("a type that says nothing only holds others: no class without fields is taken for a message", () => {
  const types = readFileSync(join(process.cwd(), "src/protocol/messages.gen.ts"), "utf8");
  const empty = [...types.matchAll(/^export interface (\w+) \{\n\}/gm)].map(([, name]) => name);
  expect(empty).toContain("SessionApi");
  expect(empty.filter((name) => !name?.endsWith("Api"))).toEqual([]);
});
