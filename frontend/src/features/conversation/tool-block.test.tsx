import { expect, it } from "vitest";
import type { Tool } from "../../protocol/messages.gen";
import { onPage } from "../../ui/on-page";
import { ToolBlock } from "./tool-block";

const LONG = `${"a".repeat(30_000)}the middle${"b".repeat(30_000)}`;

function asking(preview: string, content: string): string {
  const block: Tool = {
    mode: "tool",
    index: 0,
    createdAt: "2026-11-20T10:00:00Z",
    content: {
      callId: "c1",
      name: "write_file",
      parameters: { path: "a.txt", content },
      state: "awaiting_approval",
      approval: { reason: "It writes a file.", preview },
    },
  };
  const page = onPage(<ToolBlock block={block} turnId="t1" ended={false} />);
  const text = page.place.textContent ?? "";
  page.leave();
  return text;
}

const diff = (line: string) => `--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-before\n+${line}\n`;

it("what is asked for stands there to its last character, also when its preview was cut", () => {
  expect(asking(diff("after"), "after")).not.toContain("content");
  expect(asking(diff("… […]"), "… […]")).not.toContain("content");
  for (const preview of [
    `${diff("begin")}… the change is longer than this …\n`,
    "--- a/a.txt\n+++ b/a.txt\n[2 lines become 30000; too many to compare]\n",
  ]) {
    const text = asking(preview, LONG);
    expect(text).toContain("the middle");
    expect(text).not.toContain("left out");
  }
});
