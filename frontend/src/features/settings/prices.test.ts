import { describe, expect, it } from "vitest";
import { readPrices, writePrices } from "./prices";

describe("prices in lines", () => {
  it("are read and written the same", () => {
    const read = readPrices("gpt-x 2.5 10 cached 0,25\n\nqwen 3 coder 0 0,4");
    expect(read).toEqual({
      prices: [
        { model: "gpt-x", input: 2.5, output: 10, cachedInput: 0.25 },
        { model: "qwen 3 coder", input: 0, output: 0.4 },
      ],
    });
    expect("prices" in read && writePrices(read.prices)).toBe("gpt-x 2.5 10 cached 0.25\nqwen 3 coder 0 0.4");
  });

  it("say which line is none", () => {
    expect(readPrices("gpt-x 2.5 10\ngpt-y free")).toEqual({ wrong: expect.stringContaining("Line 2") });
    expect(readPrices("gpt-x 2.5 10 cached little")).toEqual({ wrong: expect.stringContaining("Line 1") });
    expect(readPrices("gpt-x -1 2")).toEqual({ wrong: expect.stringContaining("Line 1") });
  });
});
