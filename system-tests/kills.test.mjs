// kill -9 of a drone while a tool works: at most one effect, and the turn goes on to its end.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, test } from "node:test";
import { seeded } from "./faults/toxic-proxy.mjs";
import { pause } from "./faults/steps.mjs";
import {
  atEnd, command, eventually, freePort, makeSession, processesIn, start, startCodeService, startDrone, startProvider, temporaryFolder,
} from "./lib/processes.mjs";

const script = (...rounds) => `[[script]] ${JSON.stringify(rounds)}`;
const use = (tool, args) => ({ tool, arguments: args });
const SEED = Number(process.env.GADGET_KILL_SEED ?? 20_261);
const KILLS = Number(process.env.GADGET_KILLS ?? 6);
const ENDED = new Set(["finished", "failed", "cancelled", "budget_reached"]);

/** A tool's effect is a line in this file; it then waits until it is let go, or the program that runs it is gone. */
const HOLDING = "echo once >> effects.txt; while [ ! -e go ]; do sleep 0.05; done; echo late >> effects.txt";

/** An MCP server whose only tool leaves a line and answers when it is let go. */
const MCP_SERVER = `
import { appendFileSync, existsSync } from "node:fs";
import { createInterface } from "node:readline";
const folder = process.argv[2];
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") {
    say(id, { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "held", version: "1" } });
  } else if (method === "tools/list") {
    say(id, { tools: [{ name: "note", description: "Leaves a note.", inputSchema: { type: "object", properties: {} } }] });
  } else if (method === "tools/call") {
    appendFileSync(folder + "/effects.txt", "once\\n");
    const wait = setInterval(() => {
      if (!existsSync(folder + "/go")) return;
      clearInterval(wait);
      say(id, { content: [{ type: "text", text: "noted" }] });
    }, 50);
  } else if (id !== undefined) {
    say(id, {});
  }
}).on("close", () => process.exit(0));
`;

function git(workspace, ...args) {
  return execFileSync("/usr/bin/git", args, {
    cwd: workspace,
    encoding: "utf8",
    env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  }).trim();
}

/** A git that holds the drone after the real one has committed or switched. */
function holdingGit(t, workspace) {
  const folder = temporaryFolder(t, "bin");
  writeFileSync(
    join(folder, "git"),
    `#!/bin/sh
case " $* " in
  *" commit --quiet "*|*" switch --quiet "*)
    /usr/bin/git "$@"
    status=$?
    echo once >> '${workspace}/effects.txt'
    while [ ! -e '${workspace}/go' ]; do sleep 0.05; done
    exit $status ;;
esac
exec /usr/bin/git "$@"
`,
  );
  chmodSync(join(folder, "git"), 0o755);
  return folder;
}

/** Serves until the test is over; the port. */
async function serving(t, listener) {
  const port = await freePort();
  const server = createServer(listener);
  await new Promise((done) => server.listen(port, "127.0.0.1", done));
  atEnd(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return port;
}

/** Has the effect, and the rest when it is let go and somebody still waits. */
function held(workspace, response, rest) {
  writeFileSync(join(workspace, "effects.txt"), "once\n", { flag: "a" });
  const wait = setInterval(() => {
    if (!existsSync(join(workspace, "go"))) return;
    clearInterval(wait);
    rest();
  }, 50);
  response.on("close", () => clearInterval(wait));
}

/** A page that is only told when it is let go; each request is an effect. */
function holdingPage(t, workspace) {
  return serving(t, (_, response) => held(workspace, response, () => response.end("told")));
}

/** An MCP server over streamable HTTP, which outlives the drone: `note` is answered by a document, `tell` by an event of a stream. */
async function mcpAtAnAddress(t, workspace) {
  const heard = [];
  let sessions = 0;
  const tool = (name) => ({ name, description: "Leaves a note.", inputSchema: { type: "object", properties: {} } });
  const port = await serving(t, async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { id, method, params } = body ? JSON.parse(body) : {};
    heard.push({ session: request.headers["mcp-session-id"], method, tool: params?.name });
    const text = (result) => JSON.stringify({ jsonrpc: "2.0", id, result });
    const say = (result, headers = {}) => response.writeHead(200, { "content-type": "application/json", ...headers }).end(text(result));
    const noted = { content: [{ type: "text", text: "noted" }] };
    if (id === undefined) {
      response.writeHead(202).end();
    } else if (method === "initialize") {
      const about = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "far", version: "1" } };
      say(about, { "mcp-session-id": `session-${++sessions}` });
    } else if (method === "tools/list") {
      say({ tools: [tool("note"), tool("tell")] });
    } else if (method === "tools/call" && params.name === "tell") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": begun\n\n");
      held(workspace, response, () => response.end(`data: ${text(noted)}\n\n`));
    } else if (method === "tools/call") {
      held(workspace, response, () => say(noted));
    } else {
      say({});
    }
  });
  return { url: `http://127.0.0.1:${port}/mcp`, heard };
}

/** Has the drone of this workspace use these MCP servers, as its owner; the environment in which they are trusted. */
async function trusted(t, workspace, mcpServers) {
  const folder = join(workspace, ".gadget");
  mkdirSync(folder, { mode: 0o700, recursive: true });
  writeFileSync(join(folder, "mcp.json"), JSON.stringify({ mcpServers }));
  const env = { XDG_CONFIG_HOME: temporaryFolder(t, "config") };
  const trust = start(t, "trust", [...command("drone"), "mcp", "trust", "--workspace", workspace], { env });
  assert.equal((await trust.exited).code, 0, trust.output);
  return env;
}

/** A service, and a drone in a workspace with a repository, which can be killed and started again. */
async function everything(t, prepare = async () => ({})) {
  const provider = await startProvider(t);
  const code = await startCodeService(t);
  const call = await code.signIn();
  const workspace = temporaryFolder(t, "workspace");
  writeFileSync(join(workspace, ".gitignore"), "effects.txt\ngo\n");
  writeFileSync(join(workspace, "a.txt"), "a\n");
  git(workspace, "init", "--quiet", "--initial-branch", "main");
  git(workspace, "config", "user.name", "Tester");
  git(workspace, "config", "user.email", "tester@localhost");
  git(workspace, "add", ".");
  git(workspace, "commit", "--quiet", "-m", "The first");
  const env = await prepare(workspace);
  const rig = { code, call, workspace };
  rig.drone = await startDrone(t, code, call, workspace, env);
  rig.restart = () => {
    rig.drone = start(t, "drone", [...command("drone"), "run", "--workspace", workspace, "--server", code.url], { env });
  };
  rig.session = await makeSession(call, { baseUrl: provider.openai, approvalPolicy: "auto" });
  rig.submit = async (prompt) =>
    (await call("POST", `/sessions/${rig.session.id}/turns`, { prompt }, { prefer: "respond-async" })).turnId;
  rig.ended = (turnId) =>
    eventually("the turn ends", async () => {
      const turn = await call("GET", `/turns/${turnId}`);
      return ENDED.has(turn.status) && turn;
    }, { seconds: 120, programs: [code.program, rig.drone] });
  return rig;
}

const effects = (workspace) => (existsSync(join(workspace, "effects.txt")) ? readFileSync(join(workspace, "effects.txt"), "utf8").trim().split("\n") : []);

/** Kills the drone once the call has had its effect and before it has a result; the turn as it ends after that. */
async function killedInTheMiddle(rig, prompt) {
  for (const name of ["effects.txt", "go"]) rmSync(join(rig.workspace, name), { force: true });
  const turnId = await rig.submit(prompt);
  await eventually("the tool has its effect", () => effects(rig.workspace).length > 0, { seconds: 60, programs: [rig.drone] });
  await rig.drone.kill("SIGKILL");
  await eventually("nothing of the sandbox outlives the drone", () =>
    processesIn(rig.workspace).every((pid) => !readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("while [ ! -e go ]")));
  // Whatever would run the call again would now run through, and be counted.
  writeFileSync(join(rig.workspace, "go"), "");
  rig.restart();
  const turn = await rig.ended(turnId);
  await eventually("the drone is free again", async () => (await rig.call("GET", "/drones")).items[0].status === "available");
  assert.equal(turn.status, "finished", JSON.stringify(turn.error));
  assert.deepEqual(effects(rig.workspace), ["once"]);
  assert.equal(turn.blocks.filter((block) => block.mode === "tool" && !block.parent).length, 1);
  return turn;
}

describe("kill -9 of a drone between the intent and the result of a call", () => {
  test("commands, processes and a second agent are not run again, and the model is told so", async (t) => {
    const rig = await everything(t);
    for (const [tool, args] of [
      ["run_command", { command: HOLDING }],
      ["start_process", { command: HOLDING }],
      ["delegate", { task: script([use("run_command", { command: HOLDING })], "The part is done.") }],
    ]) {
      const turn = await killedInTheMiddle(rig, script([use(tool, args)], "I saw it."));
      assert.equal(turn.toolCalls[0].state, "unknown", `${tool}: ${turn.toolCalls[0].response}`);
      assert.match(turn.toolCalls[0].response, /outcome is unknown/);
      // Of a second agent the command that it had begun is as unknown as its own call.
      const inner = turn.blocks.filter((block) => block.mode === "tool" && block.parent);
      assert.deepEqual(inner.map((block) => block.content.state), tool === "delegate" ? ["unknown"] : []);
      assert.equal(turn.blocks.at(-1).content, "I saw it.");
    }
  });

  test("F2: without a sandbox the next drone ends what the killed one left running, and nothing of the neighbour's", async (t) => {
    const env = { GADGET_SANDBOX: "off" };
    const rig = await everything(t, async () => env);
    // One in a session of its own, and one of which only the parent tells whose it is.
    const command = "setsid sh -c 'env -i sleep 7171 & sleep 7272 & wait' & echo once >> effects.txt; while [ ! -e go ]; do sleep 0.05; done; echo late >> effects.txt";
    const neighbour = temporaryFolder(t, "neighbour");
    const others = spawn("sleep", ["7373"], { cwd: neighbour, stdio: "ignore", env: { ...process.env, GADGET_WORKSPACE_MARK: `other@file://${neighbour}/` } });
    atEnd(t, () => others.kill("SIGKILL"));
    const turnId = await rig.submit(script([use("run_command", { command })], "I saw it."));
    await eventually("the tool has its effect", () => effects(rig.workspace).length > 0, { seconds: 60, programs: [rig.drone] });
    await rig.drone.kill("SIGKILL");
    const left = processesIn(rig.workspace);
    assert.ok(left.length >= 3, `the command goes on without its drone: ${left}`);
    rig.restart();
    const turn = await rig.ended(turnId);
    assert.equal(turn.toolCalls[0].state, "unknown", turn.toolCalls[0].response);
    assert.deepEqual(processesIn(rig.workspace).filter((pid) => left.includes(pid)), []);
    assert.deepEqual(effects(rig.workspace), ["once"]);
    const log = readFileSync(join(rig.workspace, ".gadget/logs/drone.log"), "utf8");
    assert.match(log, /WARN .*ended what an earlier drone of this workspace left running pid=\d+/);
    assert.equal(others.exitCode, null);
    assert.equal(others.signalCode, null);
  });

  test("S1-79: what a turn was worked on before the kill counts for its limit of time", async (t) => {
    const rig = await everything(t);
    const turnId = await rig.submit(script([use("run_command", { command: HOLDING })], [use("run_command", { command: "sleep 550" })], "Never."));
    const journals = join(rig.workspace, ".gadget/journal");
    const worked = () => readdirSync(journals).filter((name) => name.endsWith(".worked")).map((name) => join(journals, name))[0];
    await eventually("the time is kept", () => worked() && readFileSync(worked()).length === 8, { seconds: 60, programs: [rig.drone] });
    await rig.drone.kill("SIGKILL");
    const kept = readFileSync(worked()).readBigInt64BE();
    assert.ok(kept > 0n && kept < 600_000n, `${kept} ms were worked`);
    // As if all of it but the last half second had been worked.
    const nearly = Buffer.alloc(8);
    nearly.writeBigInt64BE(3_599_500n);
    writeFileSync(worked(), nearly);
    rig.restart();
    const turn = await rig.ended(turnId);
    assert.equal(turn.status, "budget_reached", JSON.stringify(turn.error));
    assert.match(turn.error.message, /limit of 3600 seconds/);
    await eventually("nothing of it is left", () => readdirSync(journals).length === 0);
  });

  test("what git did is recognised by looking, and not done again", async (t) => {
    // A git of the test's own is not found in the sandbox.
    const rig = await everything(t, async (workspace) => ({ PATH: `${holdingGit(t, workspace)}:${process.env.PATH}`, GADGET_SANDBOX: "off" }));
    const branch = await killedInTheMiddle(rig, script([use("git_branch", { name: "mended", create: true })], "Switched."));
    assert.equal(branch.toolCalls[0].state, "done", branch.toolCalls[0].response);
    assert.equal(git(rig.workspace, "branch", "--show-current"), "mended");
    writeFileSync(join(rig.workspace, "a.txt"), "b\n");
    const commit = await killedInTheMiddle(rig, script([use("git_commit", { message: "The second", paths: "a.txt" })], "Committed."));
    assert.equal(commit.toolCalls[0].state, "done", commit.toolCalls[0].response);
    assert.equal(git(rig.workspace, "log", "--format=%s"), "The second\nThe first");
  });

  test("no page is fetched twice, and no tool of an MCP server called twice", async (t) => {
    let port;
    const rig = await everything(t, async (workspace) => {
      port = await holdingPage(t, workspace);
      const folder = join(workspace, ".gadget");
      mkdirSync(folder, { mode: 0o700 });
      writeFileSync(join(folder, "policy.json"), JSON.stringify({ fetchHosts: [`127.0.0.1:${port}`] }));
      const elsewhere = temporaryFolder(t, "mcp");
      writeFileSync(join(elsewhere, "server.mjs"), MCP_SERVER);
      return trusted(t, workspace, { held: { command: process.execPath, args: [join(elsewhere, "server.mjs"), workspace] } });
    });
    for (const [tool, args] of [["web_fetch", { url: `http://127.0.0.1:${port}/` }], ["mcp__held__note", {}]]) {
      const turn = await killedInTheMiddle(rig, script([use(tool, args)], "I saw it."));
      assert.equal(turn.toolCalls[0].state, "unknown", `${tool}: ${turn.toolCalls[0].response}`);
    }
  });

  test("no tool of an MCP server at an address is called twice, and the next call goes over a new session", async (t) => {
    let server;
    const rig = await everything(t, async (workspace) => {
      server = await mcpAtAnAddress(t, workspace);
      return trusted(t, workspace, { far: { url: server.url } });
    });
    const calls = () => server.heard.filter((one) => one.method === "tools/call");
    for (const tool of ["note", "tell"]) {
      server.heard.length = 0;
      const turn = await killedInTheMiddle(rig, script([use(`mcp__far__${tool}`, {})], "I saw it."));
      assert.equal(turn.toolCalls[0].state, "unknown", `${tool}: ${turn.toolCalls[0].response}`);
      assert.match(turn.toolCalls[0].response, /outcome is unknown/);
      assert.deepEqual(calls().map((one) => one.tool), [tool]);
      const before = calls()[0].session;
      const next = await rig.ended(await rig.submit(script([use(`mcp__far__${tool}`, {})], "Once more.")));
      assert.equal(next.toolCalls[0].state, "done", next.toolCalls[0].response);
      assert.match(next.toolCalls[0].response, /noted/);
      assert.deepEqual(calls().map((one) => one.tool), [tool, tool]);
      assert.notEqual(calls()[1].session, before);
    }
  });

  test(`file tools, killed at any moment (seed ${SEED}, ${KILLS} kills): each change is there once, and nothing half`, async (t) => {
    const rig = await everything(t);
    const random = seeded(SEED);
    const ROUNDS = 40;
    const patch = (n) => `--- a/patched.txt\n+++ b/patched.txt\n@@ -1 +1,2 @@\n+patch ${n}\n ${n === 0 ? "end" : `patch ${n - 1}`}\n`;
    writeFileSync(join(rig.workspace, "log.txt"), "end\n");
    writeFileSync(join(rig.workspace, "patched.txt"), "end\n");
    const rounds = Array.from({ length: ROUNDS }, (_, n) => [
      use("write_file", { path: `made/w${n}.txt`, content: `${n} `.repeat(1_500) }),
      use("edit_file", { path: "log.txt", old_string: "end\n", new_string: `line ${n}\nend\n` }),
      use("apply_patch", { patch: patch(n) }),
      use("write_file", { path: `made/m${n}.txt`, content: `moved ${n}\n` }),
      use("move_file", { from: `made/m${n}.txt`, to: `moved/m${n}.txt` }),
      use("write_file", { path: `gone/d${n}.txt`, content: "gone\n" }),
      use("delete_file", { path: `gone/d${n}.txt` }),
    ]);
    const turnId = await rig.submit(script(...rounds, "All is done."));
    const now = () => rig.call("GET", `/turns/${turnId}`);
    let hits = 0;
    let before = 0;
    while (hits < KILLS) {
      const seen = await eventually("it works", async () => {
        const turn = await now();
        return (turn.toolCalls.length > before || ENDED.has(turn.status)) && turn;
      });
      if (ENDED.has(seen.status)) break;
      await pause(random() * 100);
      await rig.drone.kill("SIGKILL");
      before = (await now()).toolCalls.length;
      hits += 1;
      rig.restart();
    }
    const turn = await rig.ended(turnId);
    assert.equal(turn.status, "finished", JSON.stringify(turn.error));
    const calls = turn.toolCalls;
    t.diagnostic(`${hits} kills, ${calls.filter((one) => one.state === "unknown").length} calls of unknown outcome`);
    assert.ok(hits > 0, "no kill came while it worked");
    assert.equal(calls.length, ROUNDS * 7);
    const broken = calls.filter((one) => !["done", "unknown"].includes(one.state) && !/no such file|does not exist|not exist|is not in|not found|does not fit/i.test(one.response));
    assert.deepEqual(broken.map((one) => `${one.name} ${one.state}: ${one.response}`), []);
    const of = (name, at) => calls.filter((one) => one.name === name)[at];
    const text = (name) => readFileSync(join(rig.workspace, name), "utf8").split("\n");
    for (let n = 0; n < ROUNDS; n += 1) {
      for (const [file, line, state] of [
        ["log.txt", `line ${n}`, of("edit_file", n).state],
        ["patched.txt", `patch ${n}`, of("apply_patch", n).state],
      ]) {
        const times = text(file).filter((one) => one === line).length;
        assert.ok(times <= 1 && (times === 1 || state !== "done"), `${file}: '${line}' is there ${times} times, and the call is ${state}`);
      }
      const content = join(rig.workspace, `made/w${n}.txt`);
      if (of("write_file", 3 * n).state === "done") assert.equal(readFileSync(content, "utf8"), `${n} `.repeat(1_500));
      if (of("move_file", n).state === "done") assert.ok(existsSync(join(rig.workspace, `moved/m${n}.txt`)) && !existsSync(join(rig.workspace, `made/m${n}.txt`)));
      if (of("delete_file", n).state === "done") assert.ok(!existsSync(join(rig.workspace, `gone/d${n}.txt`)));
    }
    const left = readdirSync(rig.workspace, { recursive: true }).filter((name) => name.endsWith(".tmp") && !name.startsWith(".git"));
    assert.deepEqual(left, []);
    assert.deepEqual((turn.files?.files ?? []).filter((file) => file.path.endsWith(".tmp")), []);
    const next = await rig.ended(await rig.submit(script([use("write_file", { path: "after.txt", content: "x\n" })], "It goes on.")));
    assert.deepEqual(next.files.files.map((file) => file.path), ["after.txt"]);
  });
});
