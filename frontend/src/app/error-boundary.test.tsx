import { act, lazy, Suspense } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { onPage } from "../ui/on-page";
import { ErrorBoundary } from "./error-boundary";
import { useLookBack } from "./look-back";
import { LookBackDialogs } from "./look-back-dialogs";

vi.mock("../features/replay/replay-dialog", () => {
  throw new TypeError("Failed to fetch dynamically imported module");
});
// React says of each error that it was caught.
vi.spyOn(console, "error").mockImplementation(() => {});
HTMLDialogElement.prototype.showModal ??= function showModal() {
  this.open = true;
};
afterEach(() => useLookBack.getState().close());

it("a part that cannot be loaded says so in its place, and leaves the rest", async () => {
  const Gone = lazy(() => Promise.reject(new TypeError("Failed to fetch dynamically imported module")));
  const { place: container } = onPage(
    <>
      <p>The conversation</p>
      <ErrorBoundary>
        <Suspense fallback="Opening …">
          <Gone />
        </Suspense>
      </ErrorBoundary>
    </>,
  );
  await act(async () => {});
  expect(container.textContent).toContain("The conversation");
  expect(container.querySelector("[role=alert] button")?.textContent).toBe("Reload");
});

it("a dialog that cannot be loaded can be closed", async () => {
  const { place: container } = onPage(<LookBackDialogs />);
  await act(async () => useLookBack.getState().show({ what: "replay", turnId: "t1" }));
  await vi.waitFor(() => expect(container.querySelector("dialog")?.textContent).toContain("Reload"), 30_000);
  act(() => container.querySelector<HTMLButtonElement>("button[aria-label=Close]")?.click());
  expect(container.querySelector("dialog")).toBeNull();
});
