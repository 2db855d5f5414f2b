import { describe, expect, test } from "vitest";
import type { FolderEntry } from "../../protocol/messages.gen";
import { mentionAt, suggestions, taken, withFound, written } from "./mention";

const at = (text: string) => mentionAt(text, text.length);

describe("naming a file in a prompt", () => {
  test("an @ at the start or after a blank begins one, an address does not", () => {
    expect(at("@")).toEqual({ start: 0, end: 1, folder: ".", query: "" });
    expect(at("look at @READ")).toEqual({ start: 8, end: 13, folder: ".", query: "READ" });
    expect(at("(@a")).toMatchObject({ start: 1, query: "a" });
    expect(at("ann@example")).toBeNull();
    expect(at("@a b")).toBeNull();
  });

  test("what stands before the last slash is the folder that is looked into", () => {
    expect(at("see @src/main/Ap")).toEqual({ start: 4, end: 16, folder: "src/main", query: "Ap" });
    expect(at('see @"my files/a b')).toEqual({ start: 4, end: 18, folder: "my files", query: "a b" });
  });

  test("nothing outside the workspace is looked into", () => {
    expect(at("@/etc/pass")).toBeNull();
    expect(at("@../x")).toBeNull();
    expect(at("@/")).toBeNull();
  });

  const entries: FolderEntry[] = [
    { name: "src", type: "folder" },
    { name: "Store.java", type: "file" },
    { name: "a shop.md", type: "file" },
    { name: ".env", type: "file" },
    { name: "pipe", type: "other" },
  ];

  test("files and folders that fit are offered, hidden ones only when they are asked for", () => {
    const names = (text: string) => {
      const mention = at(text);
      return mention && suggestions(mention, entries).map((one) => one.name);
    };
    expect(names("@")).toEqual(["src", "Store.java", "a shop.md"]);
    expect(names("@s")).toEqual(["src", "Store.java", "a shop.md"]);
    expect(names("@.")).toEqual([".env", "Store.java", "a shop.md"]);
    expect(names("@zzz")).toEqual([]);
  });

  test("what was found by its name comes after the folder's own names, once, and as far as it fits by now", () => {
    const mention = at("@store");
    if (!mention) throw new Error("no mention");
    const own = suggestions(mention, entries);
    const found = ["Store.java", "src/deep/StoreTest.java", "src/Shop.java"];
    expect(withFound(own, mention, found)).toEqual([
      { path: "Store.java", name: "Store.java", isFolder: false },
      { path: "src/deep/StoreTest.java", name: "StoreTest.java", isFolder: false, where: "src/deep" },
    ]);
    expect(
      withFound(
        [],
        mention,
        Array.from({ length: 40 }, (_, n) => `a/store-${n}`),
      ),
    ).toHaveLength(20);
  });

  test("a file ends the naming, a folder goes on, and names with blanks are put in quotes", () => {
    const text = "see @s please";
    const mention = mentionAt(text, 6);
    if (!mention) throw new Error("no mention");
    expect(taken(text, mention, { path: "src", name: "src", isFolder: true })).toEqual({
      text: "see @src/ please",
      caret: 9,
    });
    expect(taken(text, mention, { path: "src/App.java", name: "App.java", isFolder: false })).toEqual({
      text: "see @src/App.java please",
      caret: 17,
    });
    expect(
      taken(
        "@a",
        { start: 0, end: 2, folder: ".", query: "a" },
        { path: "a shop.md", name: "", isFolder: false },
      ),
    ).toEqual({
      text: '@"a shop.md" ',
      caret: 13,
    });
    expect(written("a/b.txt")).toBe("@a/b.txt");
  });
});
