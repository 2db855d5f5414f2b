import { describe, expect, test } from "vitest";
import { pastedName, withName } from "./attach";

describe("a long text that was pasted", () => {
  test("gets a name by its moment", () => {
    expect(pastedName(new Date(2026, 10, 21, 9, 5, 7))).toBe("pasted-20261121-090507.txt");
  });

  test("is replaced by its file's name where it stands", () => {
    expect(withName("Read this:LONG and say why", "LONG", "p.txt")).toBe("Read this: @p.txt and say why");
    expect(withName("LONG", "LONG", "p.txt")).toBe("@p.txt ");
  });

  test("is named at the end when it was changed meanwhile", () => {
    expect(withName("Read LO", "LONG", "p.txt")).toBe("Read LO @p.txt ");
    expect(withName("", "LONG", "p.txt")).toBe("@p.txt ");
  });
});
