import { describe, expect, it } from "vitest";
import { readRules, writeRules } from "./rules";

describe("rules in lines", () => {
  it("are read and written the same", () => {
    const text = "allow command npm test *\ndeny path db/**\nask tool web_fetch";
    const read = readRules(`${text}\n\n`);
    expect(read).toEqual({
      rules: [
        { action: "allow", command: "npm test *" },
        { action: "deny", path: "db/**" },
        { action: "ask", tool: "web_fetch" },
      ],
    });
    expect("rules" in read && writeRules(read.rules)).toBe(text);
  });

  it("say which line is none", () => {
    expect(readRules("allow command ls\nforbid everything")).toEqual({
      wrong: expect.stringContaining("Line 2"),
    });
    expect(readRules("allow command")).toEqual({ wrong: expect.stringContaining("Line 1") });
  });
});
