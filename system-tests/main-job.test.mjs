// The main job with real processes: sign in, prompt, watch it stream, see the file on disk, reload, restart everything.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { chromiumPath, openPage, shownBlocks, signIn } from "./lib/browser.mjs";
import {
  eventually, makeSession, native, processesIn, runDrone, startCodeService, startDrone, startProvider, temporaryFolder,
} from "./lib/processes.mjs";
import { events, Reader } from "./lib/sse.mjs";

const TOKENS = 400;
const THINKING = 60;
/** A prompt for which the scripted provider numbers its tokens, so that what arrives can be compared. */
const numbered = (rate) => `[[lorem tokens=${TOKENS} thinking=${THINKING} rate=${rate}]]`;

/** The numbers that the provider gave its tokens, in the order in which they stand in the text. */
const numbersIn = (text) => [...text.matchAll(/~(\d+)/g)].map((match) => Number(match[1]));
/** What the demo does, without a mark in the prompt. */
const DEMO_CALLS = ["list_files", "write_file", "edit_file", "read_file", "run_command"].map((tool) => [tool, "done"]);
const upTo = (count) => Array.from({ length: count }, (_, index) => index + 1);
const textOf = (turn, mode) => turn.blocks.filter((block) => block.mode === mode).map((block) => block.content).join("");

function assertWholeText(turn) {
  assert.equal(turn.status, "finished", JSON.stringify(turn.error));
  assert.deepEqual(numbersIn(textOf(turn, "thinking") + textOf(turn, "responding")), upTo(THINKING + TOKENS));
}

before(() => console.log(`# programs: ${native ? "native executables" : "JVM"}`));

describe("one prompt, all the way", () => {
  test("over REST: thinking, text and tools in order, the file on disk, the same after a restart of everything", async (t) => {
    const provider = await startProvider(t);
    const code = await startCodeService(t);
    let call = await code.signIn();
    const workspace = temporaryFolder(t, "workspace");
    const drone = await startDrone(t, code, call, workspace);
    const session = await makeSession(call, { baseUrl: provider.openai, reasoningEffort: "medium" });

    const turn = await call("POST", `/sessions/${session.id}/turns`, { prompt: "Please leave a note for me." });

    assert.equal(turn.status, "finished", JSON.stringify(turn.error));
    const modes = turn.blocks.map((block) => block.mode);
    assert.deepEqual(modes.slice(0, 3), ["thinking", "responding", "tool"]);
    const tools = turn.blocks.filter((block) => block.mode === "tool").map((block) => block.content);
    assert.deepEqual(tools.map((tool) => [tool.name, tool.state]), DEMO_CALLS);
    const note = readFileSync(join(workspace, "gadget-demo.md"), "utf8");
    assert.match(note, /Please leave a note for me\./);
    assert.match(note, /- \[x\] edited in place/);
    assert.ok(turn.usage.outputTokens > 0);

    assert.equal((await drone.stop()).code, 0, "the drone ends well on SIGTERM");
    await code.program.stop();
    await code.start();
    call = await code.signIn();
    const again = await call("GET", `/turns/${turn.id}`);
    assert.deepEqual(again.blocks, turn.blocks);
    const restored = await call("GET", `/sessions/${session.id}`);
    assert.deepEqual(restored.turns.map((one) => one.id), [turn.id]);

    await runDrone(t, code, call, workspace);
    const second = await call("POST", `/sessions/${session.id}/turns`, { prompt: "[[plain]]" });
    assert.equal(second.status, "finished");
  });

  test("over Ollama's wire: edits and searches really happen", async (t) => {
    const provider = await startProvider(t);
    const code = await startCodeService(t);
    const call = await code.signIn();
    const workspace = temporaryFolder(t, "workspace");
    await startDrone(t, code, call, workspace);
    const session = await makeSession(call, { baseUrl: provider.ollama, type: "ollama", reasoningEffort: "low" });

    const turn = await call("POST", `/sessions/${session.id}/turns`, { prompt: "[[edit]]" });

    assert.equal(turn.status, "finished", JSON.stringify(turn.error));
    assert.equal(readFileSync(join(workspace, "edit-me.txt"), "utf8"), "one\nzwei\nthree\n");
    const search = turn.blocks.find((block) => block.content.name === "search");
    assert.match(search.content.response, /edit-me\.txt/);
  });

  test("server-sent events resume by Last-Event-ID without a gap or a repetition", async (t) => {
    const provider = await startProvider(t);
    const code = await startCodeService(t);
    const call = await code.signIn();
    await startDrone(t, code, call, temporaryFolder(t, "workspace"));
    const session = await makeSession(call, { baseUrl: provider.openai, reasoningEffort: "low" });
    const { turnId } = await call("POST", `/sessions/${session.id}/turns`, { prompt: numbered(200) }, { prefer: "respond-async" });

    const reader = new Reader();
    let last;
    for (let connections = 0; connections < 50 && !reader.end; connections += 1) {
      const abort = new AbortController();
      const response = await fetch(`${code.url}/api/v1/turns/${turnId}/events`, {
        headers: { cookie: call.cookie, accept: "text/event-stream", ...(last ? { "last-event-id": last } : {}) },
        signal: abort.signal,
      });
      assert.equal(response.status, 200);
      let seen = 0;
      try {
        for await (const event of events(response)) {
          assert.equal(event.event, event.data.kind);
          reader.apply(event.data);
          last = event.id || last;
          seen += 1;
          if (seen === 7) break;
        }
      } finally {
        abort.abort();
      }
    }

    const turn = await call("GET", `/turns/${turnId}`);
    assertWholeText(turn);
    assert.equal(reader.end?.status, "finished");
    assert.equal(reader.blocks.map((block) => block.content).join(""), turn.blocks.map((block) => block.content).join(""));
  });

  test("what can fail before the first token fails with its status", async (t) => {
    const code = await startCodeService(t);
    const call = await code.signIn();
    const session = await makeSession(call, { baseUrl: "http://127.0.0.1:9/v1" });
    const refusal = (body, path = `/sessions/${session.id}/turns`) =>
      call("POST", path, body).then(() => assert.fail("was accepted"), (error) => [error.status, error.problem.code]);

    assert.deepEqual(await refusal({ prompt: "hello" }), [503, "no_drone"]);
    assert.deepEqual((await call("GET", `/sessions/${session.id}`)).turns, []);
    assert.deepEqual(await refusal({ prompt: "x".repeat(200_001) }), [422, "prompt_too_long"]);
    assert.deepEqual(await refusal({ prompt: "hello", extra: 1 }), [400, "unknown_field"]);
    assert.deepEqual((await refusal({}))[0], 422);
    assert.deepEqual(await refusal({ prompt: "hello" }, "/sessions/0000/turns"), [404, "not_found"]);
  });

  test("a provider that cannot be reached ends the turn with a code and a sentence that helps", async (t) => {
    const code = await startCodeService(t);
    const call = await code.signIn();
    await startDrone(t, code, call, temporaryFolder(t, "workspace"));
    const session = await makeSession(call, { baseUrl: "http://127.0.0.1:9/v1" });

    const turn = await call("POST", `/sessions/${session.id}/turns`, { prompt: "hello" });

    assert.equal(turn.status, "failed");
    assert.equal(turn.error.code, "provider_unreachable");
    assert.match(turn.error.message, /127\.0\.0\.1:9/);
  });

  test("a cancelled command dies with everything that it started", async (t) => {
    const provider = await startProvider(t);
    const code = await startCodeService(t);
    const call = await code.signIn();
    const workspace = temporaryFolder(t, "workspace");
    const drone = await startDrone(t, code, call, workspace);
    const session = await makeSession(call, { baseUrl: provider.openai });
    const prompt = `[[run command="sh -c 'sleep 300 & echo yes > running; wait'"]]`;
    const { turnId } = await call("POST", `/sessions/${session.id}/turns`, { prompt }, { prefer: "respond-async" });
    await eventually("the command runs", () => existsSync(join(workspace, "running")) && processesIn(workspace, drone.pid).length > 0);

    await call("POST", `/turns/${turnId}/cancel`, {});

    const turn = await eventually("the turn has ended", async () => {
      const now = await call("GET", `/turns/${turnId}`);
      return now.status === "cancelled" && now;
    }, { seconds: 30 });
    assert.ok(turn.finishedAt);
    await eventually("all of the command is gone", () => processesIn(workspace, drone.pid).length === 0, { seconds: 30 });
  });
});

describe("in the page", { skip: !chromiumPath && "no Chromium is installed (package 'chromium')" }, () => {
  test("a turn streams in order, survives a reload in mid-stream, and stands there exactly as it was said", async (t) => {
    const provider = await startProvider(t);
    const code = await startCodeService(t);
    const call = await code.signIn();
    const workspace = temporaryFolder(t, "workspace");
    await startDrone(t, code, call, workspace);
    const session = await makeSession(call, { baseUrl: provider.openai, reasoningEffort: "medium" });
    const page = await openPage(t, { url: code.url });
    await signIn(page, code.email, code.password);
    await page.goto(`${code.url}/sessions/${session.id}`);

    await page.getByTestId("prompt-input").fill("Leave a note, please.");
    await page.getByTestId("prompt-send").click();
    await page.getByTestId("block-tool").first().waitFor();
    const early = await shownBlocks(page);
    await page.getByTestId("turn-status").last().and(page.locator('[data-status="finished"]')).waitFor({ timeout: 60_000 });
    const shown = await shownBlocks(page);

    assert.ok(early.length < shown.length, "blocks were shown while it streamed, not all at the end");
    assert.deepEqual(shown.slice(0, 3).map((block) => block.mode), ["thinking", "responding", "tool"]);
    assert.deepEqual(shown.map((block) => block.index), [...new Set(shown.map((block) => block.index))], "no block twice");
    assert.deepEqual(shown.filter((block) => block.mode === "tool").map((block) => [block.tool, block.state]), DEMO_CALLS);
    assert.match(readFileSync(join(workspace, "gadget-demo.md"), "utf8"), /Leave a note, please\./);

    await page.getByTestId("prompt-input").fill(numbered(40));
    await page.getByTestId("prompt-send").click();
    const streamed = () => page.getByTestId("block-responding").last().textContent();
    await eventually("some of the text is there", async () => numbersIn(await streamed()).length > THINKING / 2 && (await page.getByTestId("stop-turn").count()) > 0);
    await page.reload();
    await eventually("the text goes on after the reload", async () => numbersIn(await streamed()).length > 10);
    await page.getByTestId("turn-status").last().and(page.locator('[data-status="finished"]')).waitFor({ timeout: 60_000 });

    const turns = (await call("GET", `/sessions/${session.id}`)).turns;
    assertWholeText(turns.at(-1));
    assert.deepEqual(numbersIn(await streamed()), numbersIn(textOf(turns.at(-1), "responding")));
    assert.deepEqual(page.problems, []);
  });
});
