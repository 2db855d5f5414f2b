import { expect, it } from "vitest";
import { emptyTurn } from "../../turn/recorded";
import { one, onPage } from "../../ui/on-page";
import type { Edit } from "./edits";
import { FilesSoFar } from "./files-so-far";

const edits = (count: number): Edit[] =>
  Array.from({ length: count }, (_, block) => ({
    path: "a.txt",
    block,
    lines: [{ kind: "added", text: `line ${block}.` }],
    more: 0,
  }));

it("of a file that was changed very often the latest edits are shown", () => {
  const shown = (count: number) => (
    <FilesSoFar turn={emptyTurn} edits={edits(count)} atEnd={false} className="" />
  );
  const page = onPage(shown(20));
  const file = one(page.place, '[data-path="a.txt"]');
  expect(file.querySelectorAll("pre")).toHaveLength(20);
  expect(file.textContent).not.toContain("not shown");
  page.again(shown(500));
  expect(file.querySelectorAll("pre")).toHaveLength(20);
  expect(file.textContent).toContain("480 earlier edits, not shown");
  expect(file.textContent).toContain("line 499.");
  page.leave();
});
