// The main job with a provider that nobody of this project wrote: a real llama-server. Its scripted model answers by the mark in the prompt.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { llama, noLlama } from "./lib/llama.mjs";
import { eventually, makeSession, runDrone, startCodeService, startDrone, temporaryFolder } from "./lib/processes.mjs";
import { events, Reader } from "./lib/sse.mjs";

const NOTE = '# Note\n\nquote " backslash \\ tab\t unicode é\n';
const said = (turn, mode) => turn.blocks.filter((block) => block.mode === mode).map((block) => block.content).join("");
const tools = (turn) => turn.blocks.filter((block) => block.mode === "tool").map((block) => [block.content.name, block.content.state]);

/** Everything that a turn needs, and `ask(prompt)`, which waits for its end. */
async function world(t) {
  const server = await llama(t);
  const code = await startCodeService(t);
  const call = await code.signIn();
  const workspace = temporaryFolder(t, "workspace");
  const drone = await startDrone(t, code, call, workspace);
  const session = await makeSession(call, { baseUrl: server.openai, model: server.model, reasoningEffort: "medium" });
  const ask = (prompt) => call("POST", `/sessions/${session.id}/turns`, { prompt });
  return { server, code, call, workspace, drone, session, ask };
}

function finished(turn) {
  assert.equal(turn.status, "finished", JSON.stringify(turn.error));
  return turn;
}

describe("with a real llama-server", { skip: noLlama }, () => {
  test("any model: a prompt is answered, counted, and stands there after a restart of everything", async (t) => {
    const { code, call, workspace, drone, ask } = await world(t);

    const turn = finished(await ask("Say hello in one short sentence. [[plain]]"));

    assert.ok(said(turn, "responding").trim());
    assert.ok(turn.usage.inputTokens > 0 && turn.usage.outputTokens > 0, JSON.stringify(turn.usage));
    assert.equal((await drone.stop()).code, 0);
    await code.program.stop();
    await code.start();
    const again = await code.signIn();
    assert.deepEqual((await again("GET", `/turns/${turn.id}`)).blocks, turn.blocks);
    await runDrone(t, code, again, workspace);
    assert.equal((await call("GET", `/turns/${turn.id}`)).status, "finished", "the old sign-in still counts");
  });

  test("the scripted model: thinking, calls and text in order, the file on disk as the model wrote it", async (t) => {
    const { server, workspace, ask } = await world(t);
    if (!server.scripted) return t.skip(`the model is ${server.model}, whose answers are not known`);

    const turn = finished(await ask("[[think_tool]]"));

    assert.deepEqual(turn.blocks.map((block) => block.mode), ["thinking", "tool", "thinking", "responding", "tool", "responding"]);
    assert.match(said(turn, "thinking"), /list the directory before I edit.*Now I know the layout/s);
    assert.deepEqual(tools(turn), [["list_dir", "failed"], ["write_file", "done"]], "a tool that there is none is told to the model, and it goes on");
    assert.equal(readFileSync(join(workspace, "NOTE.md"), "utf8"), NOTE);
    assert.match(turn.blocks.at(-1).content, /The note is written/);
  });

  test("the scripted model: reads a real file, runs calls side by side, and keeps one conversation over turns", async (t) => {
    const { server, workspace, call, session, ask } = await world(t);
    if (!server.scripted) return t.skip(`the model is ${server.model}, whose answers are not known`);
    mkdirSync(join(workspace, "src/main/java"), { recursive: true });
    writeFileSync(join(workspace, "src/main/java/App.java"), "class App {} // 漢字\n");
    writeFileSync(join(workspace, "pom.xml"), "<project/>\n");

    const read = finished(await ask("[[tool]]"));
    const both = finished(await ask("[[parallel]]"));
    const plain = finished(await ask("[[plain]]"));

    assert.deepEqual(tools(read), [["read_file", "done"]]);
    assert.match(JSON.stringify(read.blocks.find((block) => block.mode === "tool").content.response), /class App \{\} \/\/ 漢字/);
    assert.match(said(read, "responding"), /declares class App/);
    assert.deepEqual(tools(both), [["read_file", "done"], ["list_dir", "failed"]]);
    assert.match(said(plain, "responding"), /naïve accents, 汉字 and a face 😀 split over byte tokens/);
    const restored = await call("GET", `/sessions/${session.id}`);
    assert.deepEqual(restored.turns.map((turn) => turn.id), [read.id, both.id, plain.id]);
  });

  test("the scripted model: an endless answer streams while it comes, and stops when it is told to", async (t) => {
    const { server, code, call, session } = await world(t);
    if (!server.scripted) return t.skip(`the model is ${server.model}, whose answers are not known`);
    const { turnId } = await call("POST", `/sessions/${session.id}/turns`, { prompt: "[[lorem]]" }, { prefer: "respond-async" });
    const reader = new Reader();
    const response = await fetch(`${code.url}/api/v1/turns/${turnId}/events`, { headers: { cookie: call.cookie, accept: "text/event-stream" } });

    let cancelled = false;
    for await (const event of events(response)) {
      reader.apply(event.data);
      if (!cancelled && (reader.blocks[0]?.content.length ?? 0) > 2000) {
        cancelled = true;
        await call("POST", `/turns/${turnId}/cancel`, {});
      }
    }

    assert.ok(cancelled, "text came while it was made");
    const turn = await eventually("the turn has ended", async () => {
      const now = await call("GET", `/turns/${turnId}`);
      return now.status === "cancelled" && now;
    }, { seconds: 5 });
    assert.equal(reader.end.status, "cancelled");
    assert.equal(reader.blocks.map((block) => block.content).join(""), said(turn, "responding"));
    assert.match(turn.blocks[0].content, /^Lorem ipsum dolor sit amet,/);
  });

  test("the scripted model: calls that are no calls do no harm", async (t) => {
    const { server, workspace, ask } = await world(t);
    if (!server.scripted) return t.skip(`the model is ${server.model}, whose answers are not known`);

    const unknown = finished(await ask("[[unknown_tool]]"));
    const bad = await ask("[[bad_json]]");
    const cut = await ask("[[cut_tool]]");

    assert.deepEqual(tools(unknown), [["format_disk", "failed"]]);
    for (const turn of [bad, cut]) {
      assert.ok(["finished", "failed"].includes(turn.status), `ended, not ${turn.status}`);
      assert.ok(turn.status === "finished" || turn.error.code, "a failure has a code");
    }
    assert.ok(!existsSync(join(workspace, "cut.txt")), "a call that was cut is not run");
  });
});
