// Subagents that think, call tools and answer at once: live, over each door, stored, and taken up again.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { PollingReader, SocketReader, SseReader } from "./faults/readers.mjs";
import { pause } from "./faults/steps.mjs";
import { command, eventually, makeSession, processesIn, start, startCodeService, startDrone, startProvider, temporaryFolder } from "./lib/processes.mjs";

const script = (mark, rounds) => `[[${mark}]] ${JSON.stringify(rounds)}`;
const use = (tool, args) => ({ tool, arguments: args });
const ENDED = new Set(["finished", "failed", "cancelled", "budget_reached"]);

/** Words that tell whose they are, and which they are. */
const numbered = (name, count) => Array.from({ length: count }, (_, at) => `${name}${at + 1}`).join(" ");

/** What a subagent of this name does: it thinks, says something and calls, thinks, says something and calls, and answers at length. */
const said = (name) => [
  { thinking: numbered(`${name}-a`, 90), text: numbered(`${name}-b`, 60), calls: [use("list_files", { path: name })] },
  { thinking: numbered(`${name}-c`, 60), calls: [use("find_files", { pattern: `${name}-*` }), use("read_file", { path: `${name}/note.txt` })] },
  { thinking: numbered(`${name}-d`, 60), text: numbered(`${name}-e`, 150) },
];

const NAMES = ["left", "right"];
/** Has two subagents at work, each at so many words a second. */
const prompt = (rate) =>
  script("script", [
    { thinking: "Two can look.", text: "I ask two.", calls: NAMES.map((name) => use("delegate", { task: script(`script rate=${rate}`, said(name)) })) },
    "Both came back.",
  ]);

async function everything(t, approvalPolicy = "ask") {
  const provider = await startProvider(t);
  const code = await startCodeService(t);
  const call = await code.signIn();
  const workspace = temporaryFolder(t, "workspace");
  for (const name of NAMES) {
    mkdirSync(join(workspace, name));
    writeFileSync(join(workspace, name, "note.txt"), `the note of ${name}\n`);
  }
  const rig = { code, call, workspace, readers: [] };
  rig.drone = await startDrone(t, code, call, workspace);
  rig.session = await makeSession(call, { baseUrl: provider.openai, approvalPolicy, reasoningEffort: "low" });
  rig.restart = () => {
    rig.drone = start(t, "drone", [...command("drone"), "run", "--workspace", workspace, "--server", code.url]);
  };
  rig.submit = async (words) =>
    (await call("POST", `/sessions/${rig.session.id}/turns`, { prompt: words }, { prefer: "respond-async" })).turnId;
  rig.follow = (turnId, name) => {
    for (const Door of [SocketReader, SseReader, PollingReader]) {
      rig.readers.push(new Door(`${name} by ${Door.name}`, code.url, call.cookie, turnId));
    }
  };
  t.after(() => rig.readers.forEach((reader) => reader.stop()));
  rig.ended = (turnId) =>
    eventually("the turn ends", async () => {
      const turn = await call("GET", `/turns/${turnId}`);
      return ENDED.has(turn.status) && turn;
    }, { seconds: 180, programs: [code.program, rig.drone] });
  /** Waits until this is so of what the two said by now. */
  rig.when = (turnId, what, holds) =>
    eventually(what, async () => {
      const { blocks } = await call("GET", `/turns/${turnId}`);
      return holds((name) => nested(blocks, callOf(blocks, name)));
    }, { seconds: 120, programs: [code.program, rig.drone] });
  return rig;
}

/** The `delegate` call for the subagent of this name. */
const callOf = (blocks, name) =>
  blocks.find(({ content }) => content.name === "delegate" && content.parameters.task.includes(`${name}-a1 `))?.content.callId;

const nested = (blocks, callId) => blocks.filter(({ parent }) => callId && parent === callId);

/** What the subagent did the time that counts, as its script has it. */
const story = (blocks) =>
  blocks.filter(({ superseded }) => !superseded).map(({ mode, content }) => (mode === "tool" ? `${content.name} ${content.state}` : `${mode} ${content}`));

const scripted = (name) =>
  said(name).flatMap(({ thinking, text, calls = [] }) => [
    `thinking ${thinking}`,
    ...(text ? [`responding ${text}`] : []),
    ...calls.map(({ tool }) => `${tool} done`),
  ]);

/** What is there at the end, stored and in the hands of each who read on the way. */
async function checked(rig, turnId) {
  const turn = await rig.ended(turnId);
  assert.equal(turn.status, "finished", JSON.stringify(turn.error));
  for (const [index, block] of turn.blocks.entries()) {
    assert.equal(block.index, index);
    assert.ok(block.closedAt, `block ${index} is open`);
  }
  for (const name of NAMES) {
    const callId = callOf(turn.blocks, name);
    assert.deepEqual(story(nested(turn.blocks, callId)), scripted(name));
    const { content } = turn.blocks.find((block) => block.content.callId === callId);
    assert.equal(content.state, "done");
    assert.equal(content.response, said(name).at(-1).text, "the answer is what it said last");
    assert.equal(content.output, undefined, "its story is told in blocks");
  }
  const own = turn.blocks.filter(({ parent }) => !parent);
  assert.deepEqual(story(own), ["thinking Two can look.", "responding I ask two.", "delegate done", "delegate done", "responding Both came back."]);
  const ids = turn.toolCalls.map(({ callId }) => callId);
  assert.equal(new Set(ids).size, ids.length, `calls have ids of their own: ${ids}`);
  for (const reader of rig.readers) {
    await eventually(`${reader.name} sees the end`, () => reader.reader.end, { seconds: 60 });
    assert.equal(reader.reader.end.status, "finished", reader.name);
    assert.deepEqual(reader.reader.blocks, turn.blocks, reader.name);
  }
  return turn;
}

const between = (one, other) => one.createdAt < other.closedAt && other.createdAt < one.closedAt;

describe("S0-52: two subagents at once", () => {
  test("are read over every door, also by who comes back or comes late, and stored as they were read", async (t) => {
    const rig = await everything(t);
    const turnId = await rig.submit(prompt(100));
    rig.follow(turnId, "from the beginning");

    await rig.when(turnId, "both speak", (of) => NAMES.every((name) => of(name).length >= 1));
    for (const reader of rig.readers) reader.cut();
    rig.follow(turnId, "in the middle");
    await rig.when(turnId, "both called", (of) => NAMES.every((name) => of(name).some(({ mode }) => mode === "tool")));
    for (const reader of rig.readers) {
      reader.cut();
      await pause(50);
    }
    rig.follow(turnId, "late");

    const turn = await checked(rig, turnId);
    const [left, right] = NAMES.map((name) => nested(turn.blocks, callOf(turn.blocks, name)));
    assert.ok(left.some((one) => one.mode !== "tool" && right.some((other) => other.mode !== "tool" && between(one, other))), "both speak at once");
    assert.equal(turn.stats.rounds, 2);
    assert.equal(turn.stats.toolCallCount, 8);
    assert.equal(turn.stats.modeTransitions, 3);
    assert.ok(turn.stats.thinkingTokenCount >= 2 * 210, `thinking of subagents counts: ${turn.stats.thinkingTokenCount}`);

    const [again] = (await rig.call("GET", `/sessions/${rig.session.id}`)).turns;
    assert.deepEqual(again.blocks, turn.blocks);
    const { turn: figures, tools } = await rig.call("GET", `/turns/${turnId}/analytics`);
    assert.equal(Object.values(figures.times).reduce((sum, millis) => sum + millis, 0), figures.millis, "no moment counts twice");
    assert.deepEqual(
      Object.fromEntries(tools.map(({ name, calls }) => [name, calls])),
      { delegate: 2, list_files: 2, find_files: 2, read_file: 2 },
    );

    const next = await rig.submit(script("script", ["So."]));
    assert.equal((await rig.ended(next)).status, "finished");
    const branch = await rig.call("POST", `/sessions/${rig.session.id}/branches`, { turnId: next });
    const [copy] = (await rig.call("GET", `/sessions/${branch.id}`)).turns;
    assert.deepEqual(copy.blocks, turn.blocks);
  });

  test("start over when their drone is killed, and what they had done stays, marked", async (t) => {
    const rig = await everything(t);
    const turnId = await rig.submit(prompt(40));
    rig.follow(turnId, "from the beginning");
    await rig.when(turnId, "both are in their second round", (of) => NAMES.every((name) => of(name).some(({ content }) => String(content).includes(`${name}-c5`))));
    await rig.drone.kill("SIGKILL");
    rig.restart();

    const turn = await checked(rig, turnId);
    for (const name of NAMES) {
      const first = nested(turn.blocks, callOf(turn.blocks, name)).filter(({ superseded }) => superseded);
      assert.ok(first.length >= 4, `${first.length} blocks of ${name} were superseded`);
      assert.ok(scripted(name)[0].startsWith(`thinking ${first[0].content}`));
    }
    assert.deepEqual(turn.blocks.filter(({ parent, superseded }) => superseded && !parent), []);
  });

  test("end with their turn when a person cancels it, and leave nothing open", async (t) => {
    const rig = await everything(t);
    const turnId = await rig.submit(prompt(40));
    rig.follow(turnId, "from the beginning");
    await rig.when(turnId, "both called", (of) => NAMES.every((name) => of(name).some(({ mode }) => mode === "tool")));
    await rig.call("POST", `/turns/${turnId}/cancel`);

    const turn = await rig.ended(turnId);
    assert.equal(turn.status, "cancelled");
    assert.deepEqual(turn.blocks.filter(({ closedAt }) => !closedAt), []);
    for (const name of NAMES) {
      const steps = story(nested(turn.blocks, callOf(turn.blocks, name)));
      assert.deepEqual(steps.slice(0, 2), scripted(name).slice(0, 2));
      assert.ok(steps.length < scripted(name).length || steps.at(-1) !== scripted(name).at(-1), "it was cut");
    }
    for (const reader of rig.readers) {
      await eventually(`${reader.name} sees the end`, () => reader.reader.end, { seconds: 60 });
      assert.equal(reader.reader.end.status, "cancelled", reader.name);
      assert.deepEqual(reader.reader.blocks, turn.blocks, reader.name);
    }
  });

  test("go on where they are when the service is killed, and nothing of them is lost or there twice", async (t) => {
    const rig = await everything(t);
    const turnId = await rig.submit(prompt(40));
    rig.follow(turnId, "from the beginning");
    for (const word of ["a40", "c20", "e30"]) {
      await rig.when(turnId, `both are at ${word}`, (of) => NAMES.every((name) => of(name).some(({ content }) => String(content).includes(`${name}-${word}`))));
      await rig.code.program.kill("SIGKILL");
      await rig.code.start();
    }

    const turn = await checked(rig, turnId);
    assert.deepEqual(turn.blocks.filter(({ superseded }) => superseded), []);
    assert.equal(turn.stats.toolCallCount, 8);
    assert.equal(turn.stats.modeTransitions, 3);
  });
});

describe("S0-52: a subagent that may run commands", () => {
  test("is not begun again when its drone is killed: its command has one effect, and what came of it is unknown", async (t) => {
    const rig = await everything(t, "auto");
    const effects = join(rig.workspace, "effects.txt");
    const holding = "echo once >> effects.txt; while [ ! -e go ]; do sleep 0.05; done; echo late >> effects.txt";
    const task = script("script", [{ thinking: "I do it.", text: "Now.", calls: [use("run_command", { command: holding })] }, "Done."]);
    const turnId = await rig.submit(script("script", [[use("delegate", { task })], "I look myself."]));
    rig.follow(turnId, "from the beginning");
    await eventually("the command has its effect", () => existsSync(effects), { seconds: 60, programs: [rig.drone] });
    await rig.drone.kill("SIGKILL");
    // Whatever would run the command again would now run through, and be counted.
    await eventually("nothing of the command outlives the drone", () =>
      processesIn(rig.workspace).every((pid) => !readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("while [ ! -e go ]")));
    writeFileSync(join(rig.workspace, "go"), "");
    rig.restart();

    const turn = await rig.ended(turnId);
    assert.equal(turn.status, "finished", JSON.stringify(turn.error));
    assert.equal(readFileSync(effects, "utf8"), "once\n");
    assert.deepEqual(story(turn.blocks.filter(({ parent }) => !parent)), ["delegate unknown", "responding I look myself."]);
    const delegate = turn.blocks.find(({ content }) => content.name === "delegate").content.callId;
    assert.deepEqual(story(nested(turn.blocks, delegate)), ["thinking I do it.", "responding Now.", "run_command unknown"]);
    for (const reader of rig.readers) {
      await eventually(`${reader.name} sees the end`, () => reader.reader.end, { seconds: 60 });
      assert.deepEqual(reader.reader.blocks, turn.blocks, reader.name);
    }
  });
});
