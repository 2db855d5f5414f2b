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
        const { index, mode, createdAt, parent } = change;
        const block = (this.blocks[index] ??= { index, mode, createdAt, ...(parent ? { parent } : {}), content: "" });
        block.content = block.content.slice(0, change.offset) + change.text;
        break;
      }
      case "tool_state": {
        const { kind, ...block } = change;
        const { superseded, content } = this.blocks[change.index] ?? {};
        const output = content?.output;
        this.blocks[change.index] = { ...block, mode: "tool", ...(superseded ? { superseded } : {}), content: { ...change.content, ...(output ? { output } : {}) } };
        break;
      }
      case "block_closed":
        this.blocks[change.index].closedAt = change.closedAt;
        break;
      case "block_superseded":
        this.blocks[change.index].superseded = true;
        break;
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
