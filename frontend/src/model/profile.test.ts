import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ModelProfile } from "../protocol/messages.gen";
import { profileLine, profileWords, tokens } from "./profile";

const sample = (
  JSON.parse(
    readFileSync(
      join(process.cwd(), "../shared-model/src/test/resources/samples/drone-event/model_examined.json"),
      "utf8",
    ),
  ) as { profile: ModelProfile }
).profile;

describe("the profile of a model", () => {
  it("is told in one line", () => {
    expect(profileLine(sample)).toBe("tools: native · context 8k · edits 4/5 · 42 tokens/s");
  });

  it("says where a context was only seen to be at least so long", () => {
    expect(profileLine({ examinedAt: sample.examinedAt, contextAtLeast: 31_000 })).toBe(
      "context at least 31k",
    );
  });

  it("leaves out what was not measured", () => {
    expect(profileLine({ examinedAt: sample.examinedAt })).toBe("");
    expect(profileLine({ examinedAt: sample.examinedAt, tokensPerSecond: 3.25 })).toBe("3.3 tokens/s");
  });

  it("marks what an agent suffers from", () => {
    const words = profileWords({
      examinedAt: sample.examinedAt,
      toolCalling: "none",
      contextTokens: 4096,
      edits: { passed: 2, of: 5 },
    });
    expect(words).toEqual([
      { text: "no tools", tone: "bad" },
      { text: "context 4k", tone: "weak" },
      { text: "edits 2/5", tone: "weak" },
    ]);
  });

  it.each([
    [512, "512"],
    [6144, "6k"],
    [8100, "8k"],
    [131072, "128k"],
    [200000, "200k"],
  ])("counts %i tokens as %s", (count, words) => {
    expect(tokens(count)).toBe(words);
  });
});
