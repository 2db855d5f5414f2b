import { act, type ReactNode, useRef } from "react";
import { expect, it } from "vitest";
import { one, onPage } from "../../ui/on-page";
import { useHeldRows } from "./use-held-rows";

function Rows({ keys, children }: { keys: readonly string[]; children?: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const held = useHeldRows(
    box,
    keys.map((key) => ({ key })),
  );
  return (
    <div ref={box} data-held={held.join(" ")} data-testid={keys.join("-")}>
      {keys.map((key) => (
        <div key={key} data-row={key}>
          <button type="button" id={key}>
            {key}
          </button>
          {key === keys[0] && children}
        </div>
      ))}
    </div>
  );
}

it("S0-52: what has the focus holds its row, and where that is in a list within another the row around it, too", () => {
  const page = onPage(
    <Rows keys={["a", "b"]}>
      <Rows keys={["c", "d", "e"]} />
    </Rows>,
  );
  const held = (list: string) => one(page.place, `[data-testid=${list}]`).dataset.held;
  act(() => one(page.place, "#e").focus());
  expect([held("a-b"), held("c-d-e")]).toEqual(["0", "2"]);
  act(() => one(page.place, "#b").focus());
  expect([held("a-b"), held("c-d-e")]).toEqual(["1", ""]);
  page.leave();
});
