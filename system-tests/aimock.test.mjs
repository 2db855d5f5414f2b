// Model endpoints that fail, played by aimock, a mock that others wrote for clients of model endpoints: what a turn comes to.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { LLMock } from "@copilotkit/aimock";
import { atEnd, eventually, makeSession, startCodeService, startDrone, temporaryFolder } from "./lib/processes.mjs";
import { events, Reader } from "./lib/sse.mjs";

const KEY = "sk-of-the-test";
const SAID = "The cart multiplies now, and its test passes: naïve Ωmega, 漢字 and a 🎉 at the end.";
const NOTED = "echo once >> effects.txt";
/** Silence that the drone takes for the end; long enough that a busy machine does not seem silent. */
const SILENCE_SECONDS = 20;
/** Each chunk goes out by itself, as aimock would send all of them in one packet otherwise. */
const PACED = { chunkSize: 4, latency: 15 };

/** How each wire is reached, and what a line of its stream says. */
const WIRES = {
  openai: {
    base: "/v1",
    lines: /^data: (\{.*\})$/gm,
    delta: (chunk) => chunk.choices?.[0]?.delta ?? {},
    thinking: "reasoning_content",
    chunksOfCutCall: 6,
  },
  ollama: { base: "", lines: /^(\{"model":.*\})$/gm, delta: (chunk) => chunk.message ?? {}, chunksOfCutCall: 2 },
};

const call = (command) => ({ name: "run_command", arguments: JSON.stringify({ command }) });
const broken = (status, more = {}) => ({ response: { error: { message: "made to fail", type: "made" }, status, ...more } });
const good = { response: { content: SAID }, options: PACED };
const saying = (content, options = {}) => ({ response: { content }, options: { ...PACED, ...options } });
const calling = (commands, options = {}) => ({ response: { toolCalls: commands.map(call) }, options: { ...PACED, ...options } });
const chaos = (kind) => ({ response: { content: SAID }, options: { chaos: { [kind]: 1 } } });

/** A port before that one, which keeps what the one behind it really sent. */
async function tapped(t, port) {
  const tap = { heard: [] };
  const sockets = new Set();
  const server = createServer((client) => {
    const target = connect(port, "127.0.0.1");
    for (const [from, to] of [[client, target], [target, client]]) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => sockets.delete(from));
      from.pipe(to);
    }
    target.on("data", (chunk) => tap.heard.push(chunk));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  atEnd(t, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  tap.url = `http://127.0.0.1:${server.address().port}`;
  return tap;
}

async function everything(t, wire) {
  const mock = new LLMock({ port: 0, auth: { apiKeys: [KEY] } });
  await mock.start();
  atEnd(t, () => mock.stop());
  const tap = await tapped(t, mock.port);
  const code = await startCodeService(t);
  const api = await code.signIn();
  const workspace = temporaryFolder(t, "workspace");
  const drone = await startDrone(t, code, api, workspace, { GADGET_DRONE_PROVIDER_NEXT_EVENT: `PT${SILENCE_SECONDS}S` });
  // Named by a person, so that no model is asked for a name.
  const chosen = { type: wire, name: "faults", approvalPolicy: "auto" };
  const session = (baseUrl, apiKey = KEY) => makeSession(api, { ...chosen, baseUrl, apiKey });
  const rig = { mock, tap, code, api, workspace, wire: WIRES[wire], programs: [code.program, drone], session };
  rig.usual = await session(tap.url + WIRES[wire].base);
  return rig;
}

/** Runs a prompt to its end while aimock gives these answers, the last one for ever; what came of it, and what was sent. */
async function run(rig, prompt, answers, session = rig.usual) {
  const seen = { retries: [], reader: new Reader() };
  rig.mock.clearFixtures();
  answers.forEach(({ response, options, afterRetries }, index) => {
    const last = index === answers.length - 1;
    const held = async () => {
      await eventually("the page is told of the retry", () => seen.retries.length >= afterRetries, { seconds: 60, programs: rig.programs });
      return response;
    };
    rig.mock.on({ userMessage: prompt, ...(last ? {} : { sequenceIndex: index }) }, afterRetries ? held : response, options);
  });
  rig.mock.clearRequests();
  rig.tap.heard.length = 0;
  rmSync(join(rig.workspace, "effects.txt"), { force: true });
  const began = performance.now();
  const response = await fetch(`${rig.code.url}/api/v1/sessions/${session.id}/turns`, {
    method: "POST",
    headers: { cookie: rig.api.cookie, accept: "text/event-stream", "content-type": "application/json" },
    body: JSON.stringify({ prompt }),
  });
  assert.equal(response.status, 200);
  for await (const { data } of events(response)) {
    seen.reader.apply(data);
    if (data.kind === "retrying") seen.retries.push(data);
  }
  const took = performance.now() - began;
  const turn = await rig.api("GET", `/turns/${seen.reader.turn.id}`);
  await eventually("the drone is free again", async () => (await rig.api("GET", "/drones")).items[0].status === "available");
  const effects = join(rig.workspace, "effects.txt");
  return {
    turn,
    took,
    retries: seen.retries,
    shown: textOf(seen.reader.blocks),
    text: textOf(turn.blocks),
    thinking: textOf(turn.blocks, "thinking"),
    sent: sent(rig, "content"),
    sentThinking: sent(rig, rig.wire.thinking),
    // Not counted: how long its context is, which is asked of an endpoint once.
    asked: rig.mock.getRequests().filter((one) => /\/chat(\/completions)?$/.test(one.path)).length,
    effects: existsSync(effects) ? readFileSync(effects, "utf8").trim().split("\n") : [],
  };
}

const textOf = (blocks, mode = "responding") => blocks.filter((block) => block.mode === mode).map((block) => block.content).join("");

/** What went over the wire in this field of all chunks together. */
function sent(rig, field) {
  const text = Buffer.concat(rig.tap.heard).toString("utf8").replaceAll("\r", "");
  return [...text.matchAll(rig.wire.lines)].map((line) => rig.wire.delta(JSON.parse(line[1]))[field] ?? "").join("");
}

function assertFinished(result, { retries = [], asked, text = SAID, effects = [] }) {
  assert.equal(result.turn.status, "finished", JSON.stringify(result.turn.error));
  assert.equal(result.text, text);
  assertAsSent(result, { retries, asked, effects });
}

function assertFailed(result, code, message, { retries = [], asked = 1, effects = [] } = {}) {
  assert.equal(result.turn.status, "failed");
  assert.equal(result.turn.error.code, code, result.turn.error.message);
  assert.match(result.turn.error.message, message);
  assert.ok(!result.turn.error.message.includes(KEY));
  assertAsSent(result, { retries, asked, effects });
}

/** Every token that was sent is there once, nothing ran twice, and it was asked as often as it should. */
function assertAsSent(result, { retries, asked, effects }) {
  assert.equal(result.text, result.sent);
  assert.equal(result.shown, result.text);
  assert.deepEqual(result.retries.map((retry) => retry.failure.code), retries);
  assert.equal(result.asked, asked);
  assert.deepEqual(result.effects, effects);
}

/** A failed turn that keeps the beginning of what the model would have said. */
function assertCut(result, code, message, more = {}) {
  assertFailed(result, code, message, more);
  assert.ok(result.text.length > 0 && result.text.length < SAID.length, `'${result.text}' is no beginning`);
  assert.ok(SAID.startsWith(result.text), result.text);
}

for (const wire of Object.keys(WIRES)) {
  describe(`aimock on the wire of ${wire}`, () => {
    test("before the first token: asked again where that can help, and the page is told", async (t) => {
      const rig = await everything(t, wire);
      const again = { ...good, afterRetries: 1 };
      for (const status of [500, 503]) {
        await t.test(`${status} once`, async () => {
          const result = await run(rig, `fails with ${status}`, [broken(status), again]);
          assertFinished(result, { retries: ["provider_error"], asked: 2 });
          assert.match(result.retries[0].failure.message, new RegExp(`failed \\(${status}\\).*made to fail`));
        });
      }

      await t.test("429 once: waits as long as Retry-After says", async () => {
        const result = await run(rig, "is limited", [broken(429, { retryAfter: 3 }), again]);
        assertFinished(result, { retries: ["rate_limited"], asked: 2 });
        // A reader is told what is left of the wait.
        assert.ok(result.retries[0].delayMillis > 0 && result.took >= 3000, `${result.retries[0].delayMillis} of ${result.took} ms`);
      });

      await t.test("429 with a Retry-After that nobody would wait for ends at once", async () => {
        const result = await run(rig, "is limited for long", [broken(429, { retryAfter: 600 })]);
        assertFailed(result, "rate_limited", /asks to slow down \(429\)/);
      });

      await t.test("a rate limit by chance", async () => {
        const result = await run(rig, "is limited by chance", [chaos("rateLimitRate"), again]);
        assertFinished(result, { retries: ["rate_limited"], asked: 2 });
        assert.ok(result.retries[0].delayMillis > 0 && result.took >= 1000, `${result.retries[0].delayMillis} of ${result.took} ms`);
      });

      await t.test("dropped every time: four requests, then the end", async () => {
        const result = await run(rig, "is dropped", [chaos("dropRate")]);
        assert.equal(result.retries.at(-1)?.attempt, 3);
        assertFailed({ ...result, retries: [] }, "provider_error", /failed \(500\).*Chaos: request dropped/, { asked: 4 });
      });

      await t.test("the connection is closed without an answer, and at once again: asked once more", async () => {
        const result = await run(rig, "hangs up", [chaos("disconnectRate"), chaos("disconnectRate"), again]);
        // What is closed at once is first taken for a connection that had been kept too long, and asked again without a word.
        assert.match(result.retries[0].failure.message, /closed the connection before it answered/);
        assertFinished(result, { retries: result.retries.map(() => "provider_unreachable"), asked: 3 });
      });

      if (wire === "openai") {
        await t.test("headers and a first chunk without a word, and then the end", async () => {
          const result = await run(rig, "says nothing", [saying(SAID, { truncateAfterChunks: 2 }), again]);
          assertFinished(result, { retries: ["truncated"], asked: 2 });
        });
      }

      await t.test("characters in halves", async () => {
        assertFinished(await run(rig, "speaks in crumbs", [saying(SAID, { chunkSize: 1, latency: 1 })]), { asked: 1 });
      });

      await t.test("slow to begin, and uneven afterwards", async () => {
        const slow = saying(SAID, { latency: undefined, chaos: { latencyMs: 1000 }, streamingProfile: { ttft: 2000, tps: 40, jitter: 1 } });
        assertFinished(await run(rig, "is slow", [slow]), { asked: 1 });
      });
    });

    test("refusals and nonsense end the turn at once, in words", async (t) => {
      const rig = await everything(t, wire);
      for (const [status, code, message] of [
        [400, "provider_refused", /refused the request \(400\).*made to fail/],
        [401, "provider_unauthorized", /did not accept the API key \(401\)/],
        [403, "provider_unauthorized", /did not accept the API key \(403\)/],
        [404, "model_not_found", /does not know the model or the path \(404\)/],
      ]) {
        await t.test(`${status}`, async () => assertFailed(await run(rig, `refuses with ${status}`, [broken(status)]), code, message));
      }

      await t.test("a key that it does not know, which is not shown", async () => {
        const session = await rig.session(rig.tap.url + rig.wire.base, "sk-of-somebody-else");
        const { turn, text } = await run(rig, "wants another key", [good], session);
        assert.equal(turn.status, "failed");
        assert.equal(turn.error.code, "provider_unauthorized", turn.error.message);
        assert.match(turn.error.message, /did not accept the API key \(401\)/);
        assert.ok(!turn.error.message.includes("sk-of-somebody-else"));
        assert.equal(text, "");
      });

      await t.test("a context that is too short, by its status or as OpenAI says it", async () => {
        const error = { message: "This model's maximum context length is 8192 tokens.", type: "invalid_request_error", code: "context_length_exceeded" };
        for (const answer of [broken(413), { response: { error, status: 400 } }]) {
          // A session without a history, which would be made shorter first.
          const fresh = await rig.session(rig.tap.url + rig.wire.base);
          assertFailed(await run(rig, "is too long", [answer], fresh), "context_overflow", /longer than the model's context/);
        }
      });

      await t.test("malformed JSON", async () => {
        const result = await run(rig, "is malformed", [chaos("malformedRate")]);
        assertFailed(result, "provider_protocol", /sent something that is not JSON/);
      });
    });

    test("cut after some tokens: what came is kept, and nothing is asked again", async (t) => {
      const rig = await everything(t, wire);
      await t.test("after so many chunks", async () => {
        for (const chunks of [3, 4, 9, 16]) {
          assertCut(await run(rig, `is cut after ${chunks}`, [saying(SAID, { truncateAfterChunks: chunks })]), "truncated", /What came is kept/);
        }
      });

      await t.test("after some time", async () => {
        const slowly = { latency: undefined, streamingProfile: { ttft: 0, tps: 5, jitter: 0.5 }, disconnectAfterMs: 3000 };
        assertCut(await run(rig, "is cut in the middle", [saying(SAID, slowly)]), "truncated", /What came is kept/);
      });

      await t.test("silent from then on", async () => {
        const silent = { latency: undefined, recordedTimings: { ttftMs: 0, interChunkDelaysMs: [30, 30, 30, 2 * SILENCE_SECONDS * 1000, ...Array(SAID.length).fill(0)] } };
        const result = await run(rig, "falls silent", [saying(SAID, silent)]);
        // Ollama is as silent while it reads a call, so it is given the time of a first word.
        if (wire === "ollama") assertFinished(result, { asked: 1 });
        else assertCut(result, "stalled", /said nothing for 20\.0 s/);
      });
    });

    test("tools run once, whatever happens around them, and half a call never", async (t) => {
      const rig = await everything(t, wire);
      const whole = { asked: 2, effects: ["once"] };
      const states = (result) => result.turn.toolCalls.map((one) => one.state);

      await t.test("arguments that come character by character", async () => {
        const result = await run(rig, "calls in crumbs", [calling(["printf '%s\\n' 'Ω \"漢\" \\ 🎉' >> effects.txt"], { chunkSize: 1, latency: 1 }), good]);
        assertFinished(result, { asked: 2, effects: ['Ω "漢" \\ 🎉'] });
        assert.deepEqual(states(result), ["done"]);
      });

      await t.test("text and calls in turns", async () => {
        const blocks = [
          { type: "toolCall", ...call("echo first >> effects.txt") },
          { type: "text", text: "One, and " },
          { type: "toolCall", ...call("echo second >> effects.txt") },
          { type: "text", text: "two. " },
        ];
        const result = await run(rig, "calls in between", [{ response: { blocks }, options: PACED }, good]);
        assertFinished(result, { asked: 2, text: `One, and two. ${SAID}`, effects: ["first", "second"] });
        assert.deepEqual(states(result), ["done", "done"]);
      });

      await t.test("a call of a response that was cut is not run; asked again, it runs", async () => {
        const cut = calling([NOTED], { truncateAfterChunks: rig.wire.chunksOfCutCall });
        const result = await run(rig, "is cut in a call", [cut, { ...calling([NOTED]), afterRetries: 1 }, good]);
        assertFinished(result, { retries: ["truncated"], asked: 3, effects: ["once"] });
        assert.deepEqual(states(result), ["done"]);
      });

      await t.test("arguments that are no JSON are told to the model, and nothing runs", async () => {
        const bad = { response: { toolCalls: [{ name: "run_command", arguments: `{"command": "${NOTED}"` }] }, options: PACED };
        const result = await run(rig, "calls badly", [bad, good]);
        assertFinished(result, { asked: 2 });
        assert.deepEqual(states(result), ["failed"]);
      });

      await t.test("the endpoint fails after the tool ran: it is asked again, and the tool is not", async () => {
        for (const [name, fault, code] of [
          ["an error", broken(500), "provider_error"],
          ["a limit", broken(429), "rate_limited"],
        ]) {
          const result = await run(rig, `${name} after a call`, [calling([NOTED]), fault, { ...good, afterRetries: 1 }]);
          assertFinished(result, { retries: [code], asked: 3, effects: ["once"] });
          assert.deepEqual(states(result), ["done"]);
        }
      });

      await t.test("cut after the tool ran", async () => {
        const result = await run(rig, "calls and is cut", [calling([NOTED]), saying(SAID, { truncateAfterChunks: 9 })]);
        assertCut(result, "truncated", /What came is kept/, whole);
        assert.deepEqual(states(result), ["done"]);
      });
    });
  });
}

test("aimock on what only the wire of openai has: reasoning, reasons to end, comments in between", async (t) => {
  const rig = await everything(t, "openai");
  await t.test("reasoning that is cut is kept, and nothing is asked again", async () => {
    const cut = { response: { content: SAID, reasoning: "First I look at the cart." }, options: { ...PACED, truncateAfterChunks: 4 } };
    const result = await run(rig, "thinks and is cut", [cut]);
    assertFailed(result, "truncated", /What came is kept/);
    assert.equal(result.thinking, "First I look");
    assert.equal(result.sentThinking, result.thinking);
  });

  await t.test("an output limit and a content filter", async () => {
    for (const [finishReason, code, message] of [
      ["length", "output_limit", /reached the output limit/],
      ["content_filter", "provider_refused", /content filter stopped the response/],
    ]) {
      const result = await run(rig, `ends by ${finishReason}`, [{ response: { content: SAID, finishReason }, options: PACED }]);
      assertFailed(result, code, message);
      assert.equal(result.text, SAID);
    }
  });

  await t.test("OpenRouter's comments, and its words for a failure", async () => {
    const session = await rig.session(`${rig.tap.url}/api/v1`);
    const result = await run(rig, "comments", [{ ...good, options: { ...PACED, openRouterProcessing: true } }], session);
    assertFinished(result, { asked: 1 });
    assert.match(Buffer.concat(rig.tap.heard).toString(), /: OPENROUTER PROCESSING/);
    assertFailed(await run(rig, "is refused", [broken(400)], session), "provider_refused", /refused the request \(400\).*made to fail/);
  });
});
