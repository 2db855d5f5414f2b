// Reads server-sent events from a fetch response, as a script of a user would.

/** Yields {id, event, data} until the stream ends. */
export async function* events(response) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body) {
    rest += decoder.decode(chunk, { stream: true });
    for (;;) {
      const end = rest.indexOf("\n\n");
      if (end < 0) break;
      const lines = rest.slice(0, end).split("\n");
      rest = rest.slice(end + 2);
      const field = (name) =>
        lines
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).replace(/^ /, ""))
          .join("\n");
      const data = field("data");
      if (data) yield { id: field("id"), event: field("event"), data: JSON.parse(data) };
    }
  }
}

/** Puts a turn's steps together the way that docs/protocol.md tells a reader to. */
export class Reader {
  blocks = [];

  apply(change) {
    switch (change.kind) {
      case "snapshot":
        this.turn = change.turn;
        this.blocks = change.turn.blocks.map((block) => ({ ...block }));
        break;
      case "text_delta": {
        const block = (this.blocks[change.index] ??= { index: change.index, mode: change.mode, content: "" });
        block.content = block.content.slice(0, change.offset) + change.text;
        break;
      }
      case "tool_state": {
        const output = this.blocks[change.index]?.content?.output;
        this.blocks[change.index] = { index: change.index, mode: "tool", content: { ...change.content, ...(output ? { output } : {}) } };
        break;
      }
      case "tool_output": {
        const { content } = this.blocks[change.index];
        content.output = (content.output ?? "").slice(0, change.offset) + change.text;
        break;
      }
      case "done":
      case "error":
        this.end = change;
        break;
      default:
    }
  }
}
