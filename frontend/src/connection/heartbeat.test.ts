import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Heartbeat } from "./heartbeat";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function begin() {
  const ping = vi.fn();
  const lost = vi.fn();
  const heart = new Heartbeat(ping, lost);
  heart.start();
  return { heart, ping, lost };
}

it("takes the other end for lost when it does not answer, and not before it had time to", () => {
  const { ping, lost } = begin();
  vi.advanceTimersByTime(24_000);
  expect(ping).toHaveBeenCalledTimes(1);
  expect(lost).not.toHaveBeenCalled();
  vi.advanceTimersByTime(6_000);
  expect(lost).toHaveBeenCalledTimes(1);
});

it("keeps a connection that answers, though the browser runs a hidden page's timers once a minute", () => {
  const { heart, ping, lost } = begin();
  for (let minute = 1; minute <= 5; minute += 1) {
    vi.setSystemTime(Date.now() + 50_000);
    vi.advanceTimersByTime(10_000);
    expect(ping).toHaveBeenCalledTimes(minute);
    heart.heard();
  }
  expect(lost).not.toHaveBeenCalled();
});

it("waits longer after each loss, as for a message that was too long for the line, until it is answered again", () => {
  const { heart, lost } = begin();
  vi.advanceTimersByTime(30_000);
  expect(lost).toHaveBeenCalledTimes(1);
  heart.start();
  vi.advanceTimersByTime(39_000);
  expect(lost).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(lost).toHaveBeenCalledTimes(2);
  heart.start();
  heart.answered();
  vi.advanceTimersByTime(30_000);
  expect(lost).toHaveBeenCalledTimes(3);
});
