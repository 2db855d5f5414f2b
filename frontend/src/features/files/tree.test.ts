import { expect, it } from "vitest";
import type { FolderEntry } from "../../protocol/messages.gen";
import { nameOf, parentOf, rows, step } from "./tree";

const folder = (name: string): FolderEntry => ({ name, type: "folder" });
const file = (name: string): FolderEntry => ({ name, type: "file", size: 1 });
const entries = new Map([
  [".", [folder("docs"), folder("src"), file("a.txt")]],
  ["src", [folder("main"), file("b.txt")]],
  ["src/main", [file("c.txt")]],
]);
const paths = (open: string[]) => rows(entries, new Set(open)).map((row) => `${row.level} ${row.path}`);

it("shows what is in open folders, below them", () => {
  expect(paths([])).toEqual(["1 docs", "1 src", "1 a.txt"]);
  expect(paths(["src", "src/main"])).toEqual([
    "1 docs",
    "1 src",
    "2 src/main",
    "3 src/main/c.txt",
    "2 src/b.txt",
    "1 a.txt",
  ]);
  expect(paths(["src/main"])).toEqual(["1 docs", "1 src", "1 a.txt"]);
  expect(paths(["docs"])).toEqual(["1 docs", "1 src", "1 a.txt"]);
});

it("goes where a tree's arrow keys lead", () => {
  const shown = rows(entries, new Set(["src"]));
  expect(step(shown, null, "ArrowDown")).toEqual({ go: "docs" });
  expect(step(shown, "docs", "ArrowDown")).toEqual({ go: "src" });
  expect(step(shown, "docs", "ArrowUp")).toBeNull();
  expect(step(shown, "a.txt", "ArrowDown")).toBeNull();
  expect(step(shown, "docs", "ArrowRight")).toEqual({ open: "docs" });
  expect(step(shown, "src", "ArrowRight")).toEqual({ go: "src/main" });
  expect(step(shown, "src", "ArrowLeft")).toEqual({ close: "src" });
  expect(step(shown, "src/b.txt", "ArrowLeft")).toEqual({ go: "src" });
  expect(step(shown, "a.txt", "ArrowRight")).toBeNull();
  expect(step(shown, "a.txt", "Home")).toEqual({ go: "docs" });
  expect(step(shown, "docs", "End")).toEqual({ go: "a.txt" });
});

it("takes paths apart", () => {
  expect([parentOf("a"), parentOf("a/b/c"), nameOf("a"), nameOf("a/b")]).toEqual([".", "a/b", "a", "b"]);
});
