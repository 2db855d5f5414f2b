import { act } from "react";
import { expect, it, vi } from "vitest";
import { button, click, onPage } from "./on-page";
import { SureButton } from "./sure-button";

function shown() {
  const onSure = vi.fn();
  const page = onPage(
    <SureButton ask="Really delete?" about="With all turns." onSure={onSure}>
      Delete
    </SureButton>,
  );
  return { ...page, onSure };
}

it("asks at the first click and acts at the second", async () => {
  const { place, onSure, leave } = shown();
  await click(button(place, "Delete"));
  expect(place.textContent).toContain("With all turns.");
  expect(onSure).not.toHaveBeenCalled();
  await click(button(place, "Really delete?"));
  expect(onSure).toHaveBeenCalledOnce();
  leave();
});

it("takes a double click, and a key that is held, for one", async () => {
  const { place, onSure, leave } = shown();
  await click(button(place, "Delete"));
  const asked = button(place, "Really delete?");
  act(() => void asked.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 2 })));
  expect(onSure).not.toHaveBeenCalled();
  const held = new KeyboardEvent("keydown", { key: "Enter", repeat: true, bubbles: true, cancelable: true });
  act(() => void asked.dispatchEvent(held));
  expect(held.defaultPrevented).toBe(true);
  leave();
});

it("asks again when the focus was elsewhere", async () => {
  const { place, onSure, leave } = shown();
  await click(button(place, "Delete"));
  act(() => button(place, "Really delete?").blur());
  await click(button(place, "Delete"));
  expect(onSure).not.toHaveBeenCalled();
  leave();
});
