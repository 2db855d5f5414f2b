import { expect, it } from "vitest";
import type { ProjectState } from "../../protocol/messages.gen";
import { standing, standingInFull } from "./project-words";

const clean: ProjectState = {
  cloned: true,
  directory: "shop",
  branch: "main",
  upstream: "origin/main",
  ahead: 0,
  behind: 0,
  dirty: false,
  syncing: false,
};

it("says branch, commits ahead and behind, and changes", () => {
  expect(standing(clean)).toBe("main");
  expect(standing({ ...clean, ahead: 2, behind: 1, dirty: true })).toBe("main ↑2 ↓1 •");
  expect(standingInFull({ ...clean, ahead: 2, dirty: true })).toBe(
    "In shop, on branch main, 2 ahead of and 0 behind origin/main, with changes that are not committed.",
  );
});

it("says what is not there yet", () => {
  expect(standing({ ...clean, cloned: false })).toBe("not cloned yet");
  expect(standing({ ...clean, branch: null })).toBe("no branch");
  expect(standing({ ...clean, branch: null, directory: ".worktrees/shop-1" })).toBe("own branch");
  expect(standingInFull({ ...clean, branch: null, upstream: null, directory: "." })).toBe(
    "In the workspace itself, without changes.",
  );
});
