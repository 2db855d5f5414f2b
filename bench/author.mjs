// Writes a long session the way a drone would: through the service's own socket, turn after turn.
import { Pair } from "./load.mjs";

const ANSWER = `The total is wrong because **rounding** happens per line. It has to happen once, at the end:

\`\`\`java
BigDecimal total = lines.stream().map(Line::price).reduce(ZERO, BigDecimal::add);
\`\`\`

1. \`Cart.total\` adds first,
2. then it rounds. See [the docs](https://example.org/rounding).`;

/** A drone that says what it is told to say, as fast as it is taken. */
export class Author extends Pair {
  constructor(service) {
    super(service, 0, undefined);
  }

  /** One turn with so many blocks: a thought, an answer and calls of tools in between. */
  async write(prompt, blocks) {
    Object.assign(this, { seq: 0, acked: 0, running: false });
    const started = new Promise((done) => {
      this.started = done;
    });
    const { turnId } = await this.service.call("POST", `/sessions/${this.session.id}/turns`, { prompt }, { prefer: "respond-async" });
    await started;
    for (let block = 0, round = 2; block < blocks; round += 1) {
      const entries = [];
      for (const end = Math.min(block + 10, blocks); block < end; block += 1) entries.push(...this.block(block, blocks));
      this.report([...entries, { type: "round_started", seq: ++this.seq, round }]);
      await this.taken();
    }
    this.report([{ type: "work_order_complete", seq: ++this.seq, status: "finished", usage: { inputTokens: 900, outputTokens: 40 * blocks, thinkingTokens: 9 * blocks } }]);
    await this.taken();
    return turnId;
  }

  block(index, of) {
    if (index === of - 1) return [{ type: "response", seq: ++this.seq, content: ANSWER }];
    if (index % 5 === 0) return [{ type: "thinking", seq: ++this.seq, content: `Step ${index}: I have to see how the cart adds its lines before I change anything.` }];
    const callId = `call-${index}`;
    return [
      { type: "tool_call", seq: ++this.seq, callId, name: "read_file", parameters: { path: `src/main/java/shop/Cart${index}.java` } },
      { type: "tool_started", seq: ++this.seq, callId },
      { type: "tool_result", seq: ++this.seq, callId, state: "done", response: `1: class Cart${index} {\n2:   BigDecimal total() { return lines.sum(); }\n3: }` },
    ];
  }

  async taken() {
    while (this.acked < this.seq) await new Promise((done) => setTimeout(done, 2));
  }
}
