import { expect, it } from "vitest";
import { composes } from "./composing";

const key = (part: KeyboardEventInit) => new KeyboardEvent("keydown", { key: "Enter", ...part });

it("knows the keys of an input method, also the Enter with which Safari takes a word", () => {
  expect(composes(key({ isComposing: true }))).toBe(true);
  expect(composes(key({ isComposing: false, keyCode: 229 }))).toBe(true);
  expect(composes(key({ keyCode: 13 }))).toBe(false);
});
