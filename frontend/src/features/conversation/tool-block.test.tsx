import { expect, it, vi } from "vitest";
import type { Tool, ToolCall } from "../../protocol/messages.gen";
import { button, click, one, onPage } from "../../ui/on-page";
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
  const page = onPage(<ToolBlock block={block} turnId="t1" ended={false} live />);
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

function over(content: Partial<ToolCall>) {
  return onPage(block(content));
}

function block(content: Partial<ToolCall>) {
  const AT = "2026-11-20T10:00:00Z";
  const call = {
    callId: "c1",
    name: "run_command",
    parameters: { command: "make" },
    state: "done",
    finishedAt: AT,
    ...content,
  };
  const block = { mode: "tool", index: 0, createdAt: AT, closedAt: AT, content: call } as Tool;
  return <ToolBlock block={block} turnId="t1" ended={false} live />;
}

it("S0-37: that a call is done is not told by its colour alone", () => {
  const page = over({});
  expect(one(page.place, '[role="img"]').getAttribute("aria-label")).toBe("done");
  page.leave();
});

it("S4-35, S4-38: a closed call says what came of it, and why it failed or was denied", async () => {
  const result = (content: Partial<ToolCall>) => {
    const page = over(content);
    const said = page.place.querySelector("[data-testid=call-result]")?.textContent;
    page.leave();
    return said;
  };
  expect(result({ response: "Exit code 0.\n42 passed\n" })).toBe("42 passed");
  expect(result({ output: "42 passed\n" })).toBe("42 passed");
  expect(result({ state: "running", output: "1 of 42", finishedAt: null })).toBeUndefined();
  expect(result({ state: "failed", response: "Exit code 2.\nno rule" })).toBe("Exit code 2. no rule");
  expect(result({ state: "denied", response: "The person said: use make -n." })).toBe(
    "The person said: use make -n.",
  );
});

it("S4-36: a page that a call printed is said to be one, and shown as text", async () => {
  const page = over({ output: "<!doctype html>\n<script>alert(1)</script>" });
  expect(one(page.place, "[data-testid=call-result]").textContent).toBe("(HTML)");
  await click(one(page.place, "button"));
  expect(page.place.textContent).toContain("Output (HTML)");
  expect(page.place.textContent).toContain("<script>alert(1)</script>");
  expect(page.place.querySelector("script")).toBeNull();
  page.leave();
});

it("a call that runs is stopped alone, by one press that says so; a call that is over has nothing to stop", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string, { method }: { method: string }) => {
    asked.push(`${method} ${url}`);
    return Response.json({}, { status: 202 });
  });
  const done = over({});
  expect(done.place.querySelector('[data-testid="call-stop"]')).toBeNull();
  done.leave();

  const page = over({ state: "running", finishedAt: null });
  const stop = button(page.place, "Stop");
  expect(stop.getAttribute("aria-label")).toBe("Stop only this call: run_command make");
  await click(stop);
  await vi.waitFor(() => expect(stop.textContent).toContain("Stopping …"));
  expect(stop.getAttribute("aria-disabled")).toBe("true");
  await click(stop);
  expect(asked).toEqual(["POST /api/v1/turns/t1/calls/c1/stop"]);
  page.leave();
});

it("a stop that was refused is said, and can be pressed again", async () => {
  vi.stubGlobal("fetch", async () =>
    Response.json({ code: "drone_lost", detail: "The drone is away.", status: 503 }, { status: 503 }),
  );
  const page = over({ state: "running", finishedAt: null });
  const stop = button(page.place, "Stop");
  await click(stop);
  await vi.waitFor(() => expect(page.place.textContent).toContain("The drone is away."));
  expect(stop.getAttribute("aria-disabled")).toBe("false");
  page.leave();
});

it("who is on the line of a call stays there when it begins and ends, and comes there when Stop goes", () => {
  const page = over({ state: "queued", finishedAt: null });
  const line = one(page.place, "button[aria-expanded]");
  line.focus();
  for (const content of [{ state: "running", finishedAt: null }, { state: "done" }] as const) {
    page.again(block(content));
    expect(document.activeElement).toBe(line);
  }
  page.again(block({ state: "running", finishedAt: null }));
  one(page.place, '[data-testid="call-stop"]').focus();
  page.again(block({ state: "failed" }));
  expect(document.activeElement).toBe(line);
  line.blur();
  page.again(block({ state: "running", finishedAt: null }));
  page.again(block({ state: "failed" }));
  expect(document.activeElement).toBe(document.body);
  page.leave();
});
