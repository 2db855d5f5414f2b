import { describe, expect, test } from "vitest";
import type { BlockUnion } from "../../protocol/messages.gen";
import { emptyTurn } from "../../turn/recorded";
import { copyOf } from "../../turn/reducer";
import { find, rangeOf } from "./find";
import { segmentsOf } from "./segments";

const AT = "2026-11-20T10:00:00Z";

function rows(id: string, prompt: string, blocks: number) {
  const all = Array.from(
    { length: blocks },
    (_, index): BlockUnion =>
      index % 2 === 0
        ? { mode: "responding", index, createdAt: AT, content: `Answer ${index} of the Cart` }
        : {
            mode: "tool",
            index,
            createdAt: AT,
            content: {
              callId: "c",
              name: "read_file",
              parameters: { path: `src/Cart${index}.java` },
              state: "done",
            },
          },
  );
  return segmentsOf(copyOf({ ...emptyTurn, id, prompt, blocks: all }));
}

describe("finding in a conversation", () => {
  const all = [...rows("t1", "Mend the CART", 40), ...rows("t2", "Stock", 2)];

  test("prompts, answers and calls, in the order of the conversation, with the row that each is in", () => {
    expect(find(all, "cart").length).toBe(1 + 40 + 2);
    expect(find(all, "cart")[0]).toEqual({ key: "t1/0", row: 0, block: null });
    expect(find(all, "Answer 20 ")).toEqual([{ key: "t1:20", row: 1, block: 20 }]);
    expect(find(all, "cart33.java")).toEqual([{ key: "t1:33", row: 2, block: 33 }]);
    expect(find(all, "stock")).toMatchObject([{ row: 3, block: null }]);
  });

  test("the line that tells what came of a call is found, what stands in it when it is open is not", () => {
    const [row] = rows("t3", "Test", 2);
    const [, tool] = row?.copy.turn.blocks ?? [];
    if (tool?.mode === "tool")
      Object.assign(tool.content, { finishedAt: AT, response: "Exit code 0.\n42 passed\nin 3 s" });
    expect(find(row ? [row] : [], "42 PASSED")).toEqual([{ key: "t3:1", row: 0, block: 1 }]);
    expect(find(row ? [row] : [], "in 3 s")).toEqual([]);
  });

  test("nothing is found by nothing, or by what nobody said", () => {
    expect(find(all, "")).toEqual([]);
    expect(find(all, "  ")).toEqual([]);
    expect(find(all, "never said")).toEqual([]);
  });

  test("the words are marked where they stand, if they are shown as they were written", () => {
    const box = document.createElement("div");
    box.innerHTML = "<p>One <b>bold</b> Word</p>";
    expect(rangeOf(box, "word")?.toString()).toBe("Word");
    expect(rangeOf(box, "one bold")).toBeNull();
    box.innerHTML = "<pre><code>a <i>class</i> <i>Cart</i> {</code></pre><p>}</p>";
    const inCode = rangeOf(box, "SS cart {");
    expect(inCode?.toString()).toBe("ss Cart {");
    expect(rangeOf(box, "{}")).toBeNull();
  });
});
