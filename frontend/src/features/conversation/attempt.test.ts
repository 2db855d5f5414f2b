import { beforeEach, expect, it } from "vitest";
import { attemptAt, storeAttempt, storedAttempt } from "./attempt";

beforeEach(() => localStorage.clear());

it("the same words after an attempt that did not succeed are the same submission, also after a reload", () => {
  const first = attemptAt("Greet me.", null);
  storeAttempt("s", first);
  expect(attemptAt("Greet me.", storedAttempt("s"))).toEqual(first);
  expect(attemptAt("Greet me, please.", storedAttempt("s")).key).not.toBe(first.key);
  expect(storedAttempt("another")).toBeNull();

  storeAttempt("s", null);
  expect(attemptAt("Greet me.", storedAttempt("s")).key).not.toBe(first.key);
});

it("takes nothing that is no attempt", () => {
  localStorage.setItem("gadget.attempt.s", '"x"');
  expect(storedAttempt("s")).toBeNull();
  localStorage.setItem("gadget.attempt.s", "{");
  expect(storedAttempt("s")).toBeNull();
});
