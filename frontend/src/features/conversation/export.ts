// A session as a file that a person keeps: to read as Markdown, for programs as JSON. Made in the browser.
import type { BlockUnion, SessionDetail, Turn } from "../../protocol/messages.gen";
import { type Blocks, storiesOf } from "../../turn/stories";

export type ExportForm = "markdown" | "json";

const LONGEST_NAME = 60;

/** A fence that nothing in the text can close. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => (line ? `> ${line}` : ">"))
    .join("\n");
}

function blockAsMarkdown(block: BlockUnion, story: Blocks = []): string {
  const again = block.superseded ? " (cut off, and said again below)" : "";
  switch (block.mode) {
    case "thinking":
      return `*Thinking${again}*\n\n${quoted(block.content.trim())}`;
    case "responding":
      return again ? `*${again.trim()}*\n\n${block.content.trim()}` : block.content.trim();
    case "prompt":
      return `*You said meanwhile${again}*\n\n${quoted(block.content)}`;
    case "tool": {
      const { name, state, parameters, response, output, diff } = block.content;
      const said = response ?? output;
      return [
        `**Tool: ${name}** (${state.replace("_", " ")})${again}`,
        fenced(JSON.stringify(parameters, null, 2), "json"),
        ...(story.length > 0 ? ["*Its subagent*", quoted(asParagraphs(story))] : []),
        ...(said ? [fenced(said)] : []),
        ...(diff ? [fenced(diff, "diff")] : []),
      ].join("\n\n");
    }
  }
}

function asParagraphs(blocks: Blocks): string {
  return blocks.map((block) => blockAsMarkdown(block)).join("\n\n");
}

function turnAsMarkdown(turn: Turn, index: number): string {
  const { inputTokens, outputTokens } = turn.usage;
  const end = turn.error ? `${turn.status}: ${turn.error.message}` : turn.status;
  const { own, ofCall } = storiesOf(turn.blocks);
  const tokens = inputTokens + outputTokens > 0 ? `, ${inputTokens} tokens in, ${outputTokens} out` : "";
  return [
    `## ${index + 1}. ${turn.createdAt}`,
    quoted(turn.prompt),
    ...own.map((block) =>
      blockAsMarkdown(block, block.mode === "tool" ? ofCall.get(block.content.callId) : undefined),
    ),
    ...(turn.files?.diff ? [`**Changed files**`, fenced(turn.files.diff, "diff")] : []),
    `*${end}, ${turn.model}${tokens}*`,
  ].join("\n\n");
}

export function asMarkdown(session: SessionDetail): string {
  const name = session.name.replaceAll(/\s+/g, " ");
  const parts = [
    `# ${name}`,
    `${session.model}, begun ${session.createdAt}`,
    ...session.turns.map(turnAsMarkdown),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** All that the service says of the session, under a mark that says what it is. */
export function asJson(session: SessionDetail): string {
  return `${JSON.stringify({ format: "gadget.session", version: 1, session }, null, 2)}\n`;
}

/** A name that every file system takes. */
export function fileName(name: string, form: ExportForm): string {
  const safe = name
    .normalize("NFC")
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\\/:*?"<>|]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/^[.\s]+/, "");
  const short = [...safe]
    .slice(0, LONGEST_NAME)
    .join("")
    .replace(/[. ]+$/, "");
  return `${short || "session"}.${form === "json" ? "json" : "md"}`;
}

/** Hands the session to the browser as a download. */
export function exportSession(session: SessionDetail, form: ExportForm): void {
  const text = form === "json" ? asJson(session) : asMarkdown(session);
  const type = form === "json" ? "application/json" : "text/markdown;charset=utf-8";
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName(session.name, form);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
