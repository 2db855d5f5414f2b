import { expect, it } from "vitest";
import type { BlockUnion } from "../../protocol/messages.gen";
import { click, one, onPage } from "../../ui/on-page";
import { BrowserSection } from "../settings/browser-section";
import { PlainBlock } from "./plain-block";

const AT = "2026-11-20T10:00:00Z";
const blocks: BlockUnion[] = [
  { mode: "responding", index: 0, createdAt: AT, closedAt: AT, content: "I look." },
  {
    mode: "tool",
    index: 1,
    createdAt: AT,
    content: { callId: "c1", name: "read_file", parameters: {}, state: "done" },
  },
];

it("S0-49: who wants it is told above each block what it is", async () => {
  const page = onPage(
    <>
      <BrowserSection />
      {blocks.map((block) => (
        <PlainBlock key={block.index} block={block} turnId="t1" ended live={false} />
      ))}
    </>,
  );
  const labels = () =>
    [...page.place.querySelectorAll("[data-testid=block-label]")].map((label) => label.textContent);
  expect(labels()).toEqual([]);
  await click(one(page.place, "[data-testid=labels]"));
  expect(labels()).toEqual(["Response", "Tool call"]);
  expect(localStorage.getItem("gadget.labels")).toBe("shown");
  await click(one(page.place, "[data-testid=labels]"));
  expect(labels()).toEqual([]);
  page.leave();
});
