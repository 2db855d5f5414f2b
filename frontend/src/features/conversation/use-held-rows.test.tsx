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

it("a row holds what has the focus also while that moves on within it, as it does in the middle of a click", () => {
  const page = onPage(
    <Rows keys={["a", "b"]}>
      <input id="words" />
    </Rows>,
  );
  const list = one(page.place, "[data-testid=a-b]");
  act(() => one(page.place, "#words").focus());
  const leaves = (relatedTarget: Element | null) =>
    act(() => {
      one(page.place, "#words").dispatchEvent(new FocusEvent("focusout", { bubbles: true, relatedTarget }));
    });
  leaves(one(page.place, "#a"));
  expect(list.dataset.held).toBe("0");
  leaves(null);
  expect(list.dataset.held).toBe("");
  page.leave();
});
