import { act } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { one, onPage } from "../../ui/on-page";
import { RetryRow } from "./turn-view";

afterEach(() => void vi.useRealTimers());

it("a retry is announced once, however long it counts down", () => {
  vi.useFakeTimers();
  const page = onPage(
    <RetryRow
      retrying={{
        kind: "retrying",
        attempt: 1,
        delayMillis: 20_000,
        failure: { code: "rate_limited", message: "Too many requests" },
      }}
    />,
  );
  const announced = () => one(page.place, '[role="status"]').textContent;
  expect(announced()).toBe("Too many requests. Attempt 2");
  expect(page.place.textContent).toContain("in 20 s");
  act(() => vi.advanceTimersByTime(5_000));
  expect(page.place.textContent).toContain("in 15 s");
  expect(announced()).toBe("Too many requests. Attempt 2");
  page.leave();
});
