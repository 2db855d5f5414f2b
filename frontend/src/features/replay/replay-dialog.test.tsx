import { QueryClient } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { turnQuery } from "../../api/queries";
import { emptyTurn } from "../../turn/recorded";
import { one, onPage, press } from "../../ui/on-page";

// What jsdom has not, and things that stand still until somebody plays them.
window.matchMedia = (media) => Object.assign(new EventTarget(), { media, matches: true }) as MediaQueryList;
HTMLDialogElement.prototype.showModal = () => {};
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
const { ReplayDialog } = await import("./replay-dialog");

const at = (second: number) => new Date(Date.UTC(2026, 10, 20) + second * 1_000).toISOString();
const BLOCKS = 600;

it("S0-29: has only those blocks on the page that are near the view, however many there are", () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(turnQuery("t1").queryKey, {
    ...emptyTurn,
    id: "t1",
    status: "finished",
    prompt: "Count.",
    createdAt: at(0),
    finishedAt: at(BLOCKS),
    blocks: Array.from({ length: BLOCKS }, (_, index) => ({
      mode: "responding" as const,
      index,
      createdAt: at(index),
      closedAt: at(index + 1),
      content: `said ${index}.`,
    })),
  });
  const { place, leave } = onPage(<ReplayDialog turnId="t1" onClose={() => {}} />, client);
  const replay = one<HTMLElement>(place, '[data-testid="replay"]');
  press(replay, "ArrowRight");
  expect(replay.dataset.at).toBe("1000");
  for (let step = 0; step < 100; step += 1) press(replay, "ArrowRight");
  expect(place.textContent?.match(/said \d+\./g)?.length ?? 0).toBeLessThan(60);
  leave();
});
