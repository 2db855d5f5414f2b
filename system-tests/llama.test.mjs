// The main job with a provider that nobody of this project wrote: a real llama-server. Its scripted model (llama-scenarios.json) answers by the mark in the prompt.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { llama, noLlama, startsLlama } from "./lib/llama.mjs";
import { marking } from "./lib/marking.mjs";
import { command, eventually, makeSession, runDrone, start, startCodeService, startDrone, temporaryFolder } from "./lib/processes.mjs";
import { events, Reader } from "./lib/sse.mjs";

const said = (turn, mode) => turn.blocks.filter((block) => block.mode === mode).map((block) => block.content).join("");
const calls = (turn) => turn.blocks.filter((block) => block.mode === "tool").map((block) => block.content);
const states = (turn) => calls(turn).map((call) => [call.name, call.state]);

/** Which answer of llama-exam.json fits which question of an exam. */
const EXAM_MARKS = {
  needle: "password of this document",
  river: "river shapes",
  read: "the tool read_file",
  find: "the tool search",
  note: "the tool write_file",
  docs: "the tool list_files",
  port: "server.properties",
  greet: "Greeter.java",
  digit: "check.js",
  prod: "settings.yaml",
  noon: "menu.txt",
};

/** Everything that a turn needs, and `ask(prompt)`, which waits for its end. */
async function world(t, context) {
  const server = await llama(t, context);
  const code = await startCodeService(t);
  const call = await code.signIn();
  const workspace = temporaryFolder(t, "workspace");
  const drone = await startDrone(t, code, call, workspace);
  const session = await makeSession(call, { baseUrl: server.openai, model: server.model, reasoningEffort: "medium" });
  const ask = (prompt) => call("POST", `/sessions/${session.id}/turns`, { prompt });
  return { server, code, call, workspace, drone, session, ask };
}

/** The world with the scripted model; skips the test where the model is another. */
async function scriptedWorld(t) {
  const it = await world(t);
  if (it.server.scripted) return it;
  t.skip(`the model is ${it.server.model}, whose answers are not known`);
  return undefined;
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

  test("thinking, text and calls in order, the file on disk as the model wrote it", async (t) => {
    const it = await scriptedWorld(t);
    if (!it) return;

    const turn = finished(await it.ask("[[work]]"));

    assert.deepEqual(turn.blocks.map((block) => block.mode), ["thinking", "tool", "thinking", "responding", "tool", "tool", "tool", "responding"]);
    assert.match(said(turn, "thinking"), /want to see the folder.*now the note/s);
    assert.deepEqual(states(turn), [["list_files", "done"], ["write_file", "done"], ["edit_file", "done"], ["run_command", "done"]]);
    assert.equal(readFileSync(join(it.workspace, "NOTE.md"), "utf8"), '# Notice\n\nquote " backslash \\ tab\t accent é\n');
    assert.match(JSON.stringify(calls(turn)[3]), /3 NOTE\.md/);
    assert.equal(turn.blocks.at(-1).content.trim(), "The notice is complete: written, edited, counted.");
  });

  test("calls side by side read real files, and a session is one conversation", async (t) => {
    const it = await scriptedWorld(t);
    if (!it) return;
    writeFileSync(join(it.workspace, "pom.xml"), "<project>漢字</project>\n");
    writeFileSync(join(it.workspace, "hay.txt"), "hay\nneedle\nhay\n");

    const both = finished(await it.ask("[[parallel]]"));
    const reason = finished(await it.ask("[[reason]]"));
    const plain = finished(await it.ask("[[plain]]"));

    assert.deepEqual(states(both), [["read_file", "done"], ["search", "done"]]);
    assert.match(JSON.stringify(calls(both)[0]), /<project>漢字<\/project>/);
    assert.match(JSON.stringify(calls(both)[1]), /hay\.txt/);
    assert.equal(said(both, "responding").trim(), "Read and searched, side by side.");
    assert.match(said(reason, "thinking"), /The shorter one has a bridge/);
    assert.equal(said(reason, "responding").trim(), "Take the bridge.");
    assert.match(said(plain, "responding"), /déjà vu, 漢字 and a rocket 🚀 cut into bytes/);
    assert.ok(plain.usage.inputTokens > reason.usage.inputTokens, "earlier turns are part of what is asked");
    const restored = await it.call("GET", `/sessions/${it.session.id}`);
    assert.deepEqual(restored.turns.map((turn) => turn.id), [both.id, reason.id, plain.id]);
  });

  test("an endless answer streams while it comes, and stops when it is told to", async (t) => {
    const it = await scriptedWorld(t);
    if (!it) return;
    const { turnId } = await it.call("POST", `/sessions/${it.session.id}/turns`, { prompt: "[[lorem]]" }, { prefer: "respond-async" });
    const reader = new Reader();
    const response = await fetch(`${it.code.url}/api/v1/turns/${turnId}/events`, { headers: { cookie: it.call.cookie, accept: "text/event-stream" } });

    let cancelled = false;
    for await (const event of events(response)) {
      reader.apply(event.data);
      if (!cancelled && (reader.blocks[0]?.content.length ?? 0) > 2000) {
        cancelled = true;
        await it.call("POST", `/turns/${turnId}/cancel`, {});
      }
    }

    assert.ok(cancelled, "text came while it was made");
    const turn = await eventually("the turn has ended", async () => {
      const now = await it.call("GET", `/turns/${turnId}`);
      return now.status === "cancelled" && now;
    }, { seconds: 5 });
    assert.equal(reader.end.status, "cancelled");
    assert.equal(reader.blocks.map((block) => block.content).join(""), said(turn, "responding"));
  });

  test("a call that is cut at the end of the context is not run", async (t) => {
    const it = await scriptedWorld(t);
    if (!it) return;

    const turn = await it.ask("[[cut]]"); // the content of the file goes on without an end

    assert.equal(turn.status, "finished", "the model is told, and asked once more");
    assert.deepEqual(states(turn).filter(([, state]) => state === "done"), []);
    assert.ok(!existsSync(join(it.workspace, "cut.txt")));
  });

  test("a conversation longer than the context ends with that code, and says so", { skip: !startsLlama && "the server is not ours to configure" }, async (t) => {
    const { ask } = await world(t, 1024);

    const turn = await ask("[[plain]]");

    assert.equal(turn.status, "failed");
    assert.equal(turn.error.code, "context_overflow");
    assert.match(turn.error.message, /longer than the model's context/);
  });

  test("an exam finds out what the model can do, and what the server has room for", { skip: !startsLlama && "the server is not ours to configure" }, async (t) => {
    const server = await llama(t, 24_000, "llama-exam.json");
    if (!server.scripted) {
      t.skip(`the model is ${server.model}, whose answers are not known`);
      return;
    }
    const url = await marking(t, server.openai, EXAM_MARKS);

    const exam = start(t, "exam", [...command("drone"), "exam", "--url", url, "--model", server.model, "--json"]);

    assert.equal((await exam.exited).code, 0, exam.output);
    const profile = JSON.parse(exam.output.slice(exam.output.indexOf("{"), exam.output.lastIndexOf("}") + 1));
    assert.equal(profile.streaming, true);
    assert.equal(profile.thinking, true);
    assert.equal(profile.toolCalling, "native");
    assert.deepEqual(profile.arguments, { passed: 4, of: 4 });
    assert.deepEqual(profile.edits, { passed: 4, of: 5 }, "one of the edits fits two places");
    assert.equal(profile.reportedContextTokens, 12_032, "half of 24,000 for each of two slots, in steps of 256");
    assert.equal(profile.contextTokens, 12_032);
    assert.ok(profile.tokensPerSecond > 0 && profile.firstTokenMillis >= 0, exam.output);
  });

  test("an exam is stopped by Ctrl-C", { skip: !startsLlama && "the server is not ours to configure" }, async (t) => {
    const server = await llama(t);
    if (!server.scripted) {
      t.skip(`the model is ${server.model}, whose answers are not known`);
      return;
    }
    const url = await marking(t, server.openai, { lorem: "Call the tool" });

    const exam = start(t, "exam", [...command("drone"), "exam", "--url", url, "--model", server.model]);
    await eventually("it asks for calls", () => exam.output.includes("[1/4]"), { programs: [exam] });

    const { code } = await exam.stop("SIGINT");
    assert.equal(code, 130, exam.output);
    assert.match(exam.output, /The exam was stopped/);
  });
});
