import { beforeEach, expect, it, vi } from "vitest";

/** The module as a page has it that was just loaded. */
async function load() {
  vi.resetModules();
  return await import("./draft");
}

const kept = () => localStorage.getItem("gadget.draft.s");

beforeEach(() => localStorage.clear());

it("puts a prompt that failed in front of what was typed meanwhile", async () => {
  const { writeDraft, draftLeaves, draftFailed } = await load();
  writeDraft("s", "first");
  expect(draftLeaves("s")).toBe("first");
  writeDraft("s", "second");
  draftFailed("s", "first");
  expect(kept()).toBe("first\n\nsecond");
  expect(draftLeaves("s")).toBe("first\n\nsecond");
  draftFailed("s", "first\n\nsecond");
  expect(draftLeaves("s")).toBe("first\n\nsecond");
});

it("keeps a prompt in the browser until it has arrived", async () => {
  const { writeDraft, draftLeaves, draftArrived } = await load();
  writeDraft("s", "first");
  draftLeaves("s");
  expect(kept()).toBe("first");
  writeDraft("s", "second");
  expect((await load()).draftLeaves("s")).toBe("first\n\nsecond");

  draftArrived("s", "first");
  expect(kept()).toBe("second");
  writeDraft("s", "");
  expect(kept()).toBeNull();
});

it("keeps a long text as a whole, and no old one in place of one that is too long for the browser", async () => {
  const long = "x".repeat(300_000);
  const { writeDraft } = await load();
  writeDraft("s", long);
  expect((await load()).draftOf("s")).toBe(long);

  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  writeDraft("s", `${long}y`);
  vi.restoreAllMocks();
  expect(kept()).toBeNull();
});
