import { describe, expect, test } from "vitest";
import type { BlockUnion, SessionDetail, Tool, ToolCall } from "../../protocol/messages.gen";
import { emptyTurn } from "../../turn/recorded";
import { aSession } from "../session-list/a-session";
import { asJson, asMarkdown, fileName } from "./export";

const session: SessionDetail = {
  ...aSession({ name: "Mend\nthe cart" }),
  turns: [
    {
      ...emptyTurn,
      prompt: "Fix it.\n\n# Now",
      status: "failed",
      error: { code: "stalled", message: "The model said nothing." },
      createdAt: "2026-11-21T10:00:00Z",
      model: "demo",
      usage: { inputTokens: 12, outputTokens: 3, thinkingTokens: 0 },
      blocks: [
        { mode: "thinking", index: 0, createdAt: "", content: "Hm.\nLet me see." },
        {
          mode: "tool",
          index: 1,
          createdAt: "",
          content: {
            callId: "c",
            name: "read_file",
            state: "done",
            parameters: { path: "a.md" },
            response: "```js\nlet a;\n```\n",
          },
        },
        { mode: "prompt", index: 2, createdAt: "", content: "And\nthe tests." },
        { mode: "responding", index: 3, createdAt: "", content: "It is **mended**." },
      ],
    },
  ],
};

describe("a session as a file", () => {
  test("as Markdown it reads as it was said, and nothing that was said gets out of its place", () => {
    expect(asMarkdown(session)).toBe(`# Mend the cart

demo, begun 2026-11-17T10:00:00Z

## 1. 2026-11-21T10:00:00Z

> Fix it.
>
> # Now

*Thinking*

> Hm.
> Let me see.

**Tool: read_file** (done)

\`\`\`json
{
  "path": "a.md"
}
\`\`\`

\`\`\`\`
\`\`\`js
let a;
\`\`\`
\`\`\`\`

*You said meanwhile*

> And
> the tests.

It is **mended**.

*failed: The model said nothing., demo, 12 tokens in, 3 out*
`);
  });

  test("S0-52: what a subagent did stands within the call that it worked for, not beside what the turn says", () => {
    const AT = "2026-11-21T10:00:00Z";
    const tool = (index: number, content: Partial<ToolCall>, parent?: string) =>
      ({ mode: "tool", index, createdAt: AT, ...(parent ? { parent } : {}), content }) as Tool;
    const turn = {
      ...emptyTurn,
      blocks: [
        tool(0, {
          callId: "d",
          name: "delegate",
          state: "done",
          parameters: { task: "Look." },
          response: "None.",
        }),
        { mode: "thinking", index: 1, createdAt: AT, parent: "d", content: "Hm." },
        tool(2, { callId: "g", name: "grep", state: "done", parameters: {}, response: "0 hits" }, "d"),
        { mode: "responding", index: 3, createdAt: AT, content: "There is none." },
      ] as BlockUnion[],
    };
    const text = asMarkdown({ ...session, turns: [turn] });
    expect(
      text.slice(text.indexOf("**Tool: delegate**"), text.lastIndexOf("\n\n*")),
    ).toBe(`**Tool: delegate** (done)

\`\`\`json
{
  "task": "Look."
}
\`\`\`

*Its subagent*

> *Thinking*
>
> > Hm.
>
> **Tool: grep** (done)
>
> \`\`\`json
> {}
> \`\`\`
>
> \`\`\`
> 0 hits
> \`\`\`

\`\`\`
None.
\`\`\`

There is none.`);
  });

  test("as JSON it is all that is known of it", () => {
    expect(JSON.parse(asJson(session))).toEqual({ format: "gadget.session", version: 1, session });
  });

  test("its name is one that every file system takes", () => {
    expect(fileName("../../etc: a/b\u202Egnp", "markdown")).toBe("etc a b gnp.md");
    expect(fileName(" . ", "json")).toBe("session.json");
    expect(fileName("x".repeat(300), "json")).toBe(`${"x".repeat(60)}.json`);
    expect(fileName("עגלה", "markdown")).toBe("עגלה.md");
  });
});
