import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FoundView } from "../protocol/messages.gen";
import { foundQuery } from "./files";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const NOT_LOOKED: FoundView = { name: "cart", paths: [], complete: false };

async function asked(answers: FoundView[]) {
  let times = 0;
  vi.stubGlobal("fetch", async () => Response.json(answers[times++] ?? NOT_LOOKED));
  const observer = new QueryObserver(new QueryClient(), { ...foundQuery("s1", ".", "cart"), retry: false });
  const leave = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(60_000);
  const { data } = observer.getCurrentResult();
  leave();
  return { times, paths: data?.paths };
}

it("what the drone had no time to look for is asked again, a few times", async () => {
  expect(await asked([NOT_LOOKED, { name: "cart", paths: ["cart.ts"], complete: false }])).toEqual({
    times: 2,
    paths: ["cart.ts"],
  });
  expect(await asked([{ name: "cart", paths: [], complete: true }])).toEqual({ times: 1, paths: [] });
  expect(await asked([])).toEqual({ times: 4, paths: [] });
});
