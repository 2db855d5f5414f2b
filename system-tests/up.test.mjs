// What a newcomer types: one command on an empty folder, a first prompt, Ctrl-C, and the same again.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { atEnd, eventually, freePort, ROOT, temporaryFolder } from "./lib/processes.mjs";

const PASSWORD = "a password from the environment";

/** Starts `./gadget up` as a group of its own, so that Ctrl-C reaches it as a terminal would send it. */
function up(t, { port, data, workspace, command = "up", env = {}, cwd }) {
  const child = spawn(join(ROOT, "gadget"), [command, "--no-open", "--port", String(port), "--data", data, "--workspace", workspace], {
    env: { ...process.env, GADGET_ADMIN_PASSWORD: PASSWORD, OPENAI_API_KEY: "", ...env },
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const running = { child, name: "gadget up", output: "", running: true };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      running.output += text;
    });
  }
  running.exited = new Promise((done) => child.once("close", (code) => done(code)));
  running.exited.then(() => {
    running.running = false;
  });
  atEnd(t, async () => {
    if (running.running) process.kill(-child.pid, "SIGINT");
    await running.exited;
  });
  return running;
}

const isUp = (program) => eventually("Gadget is up", () => /Gadget is up\./.test(program.output), { seconds: 180, programs: [program] });

async function signIn(port, password = PASSWORD) {
  const address = `http://127.0.0.1:${port}/api/v1`;
  const headers = { "content-type": "application/json", accept: "application/json" };
  const answer = await fetch(`${address}/auth/login`, { method: "POST", headers, body: JSON.stringify({ email: "admin@localhost", password }) });
  assert.equal(answer.status, 200);
  const cookie = answer.headers.getSetCookie()[0].split(";")[0];
  return async (method, path, body) => {
    const response = await fetch(`${address}${path}`, { method, headers: { ...headers, cookie }, body: body && JSON.stringify(body) });
    assert.ok(response.ok, `${method} ${path}: ${response.status}`);
    return response.json();
  };
}

/** The processes that have this text in their command line. */
function processesWith(text) {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
    } catch {
      return false;
    }
  });
}

test("./gadget up: a first prompt needs no further set-up, Ctrl-C leaves nothing behind, a second up finds everything", async (t) => {
  const port = await freePort();
  const folder = temporaryFolder(t, "up");
  const data = join(folder, "data");
  const workspace = join(folder, "my-workspace");

  const chosen = join(folder, "chosen.log");
  writeFileSync(join(folder, ".env"), `QUARKUS_LOG_FILE_ENABLED=true\nQUARKUS_LOG_FILE_PATH=${chosen}\n`);

  const first = up(t, { port, data, workspace, cwd: folder });
  await isUp(first);
  assert.ok(!existsSync(chosen), "A14: the project that it is started in sets neither service nor drone");
  assert.match(first.output, /Drone +connected, working in/);
  assert.match(first.output, /Model +the scripted demo model/);
  let call = await signIn(port);
  const [provider] = (await call("GET", "/providers")).items;
  const [project] = (await call("GET", "/projects")).items;
  assert.equal(project.name, "my-workspace");
  const session = await call("POST", "/sessions", { projectId: project.id, providerId: provider.id });
  const turn = await call("POST", `/sessions/${session.id}/turns`, { prompt: "Hello!" });
  assert.equal(turn.status, "finished", JSON.stringify(turn.error));
  assert.ok(existsSync(join(workspace, "gadget-demo.md")), "the demo wrote its note");

  process.kill(-first.child.pid, "SIGINT");
  await first.exited;
  assert.deepEqual(processesWith(folder), [], "no process is left");

  const second = up(t, { port, data, workspace });
  await isUp(second);
  assert.match(second.output, /Drone +connected, working in/);
  call = await signIn(port);
  const again = await call("GET", `/sessions/${session.id}`);
  assert.deepEqual(again.turns[0].blocks, turn.blocks);
  assert.equal((await call("GET", "/providers")).items.length, 1);
  assert.equal((await call("GET", "/drones")).items.length, 1);
  const next = await call("POST", `/sessions/${session.id}/turns`, { prompt: "[[plain]]" });
  assert.equal(next.status, "finished", JSON.stringify(next.error));
});

test("./gadget up: a first start that fails shows no password, and the next one shows the one that counts", async (t) => {
  const port = await freePort();
  const folder = temporaryFolder(t, "up");
  const where = { port, data: join(folder, "data"), workspace: join(folder, "workspace") };
  const silent = createServer(() => {});
  await new Promise((done) => silent.listen(port, "127.0.0.1", done));
  atEnd(t, () => silent.close());
  const failing = up(t, { ...where, env: { GADGET_ADMIN_PASSWORD: "" } });
  assert.notEqual(await failing.exited, 0);
  silent.close();
  assert.doesNotMatch(failing.output, /Gadget is up/);

  const second = up(t, { ...where, env: { GADGET_ADMIN_PASSWORD: "" } });
  await isUp(second);
  const [, shown] = /with the password (\S+) \(shown only now\)/.exec(second.output);
  await signIn(port, shown);
  assert.deepEqual(readdirSync(where.data).filter((name) => name.includes("password")), []);
});

test("./gadget up: a password that a first start was given counts when that start made the administrator and failed, and the next one says so", async (t) => {
  const port = await freePort();
  const folder = temporaryFolder(t, "up");
  const where = { port, data: join(folder, "data"), workspace: join(folder, "workspace") };
  mkdirSync(where.workspace);
  writeFileSync(join(where.workspace, ".gadget"), "in the way of the drone");
  const failing = up(t, { ...where, env: { GADGET_ADMIN_PASSWORD: "the first password" } });
  assert.notEqual(await failing.exited, 0);
  assert.match(failing.output, /The first administrator is made/);

  rmSync(join(where.workspace, ".gadget"));
  const second = up(t, { ...where, env: { GADGET_ADMIN_PASSWORD: "" } });
  await isUp(second);
  assert.match(second.output, /with the password that was given to the first start\n +That one made the administrator before it failed/);
  assert.doesNotMatch(second.output, /shown only now/);
  await signIn(port, "the first password");
  assert.deepEqual(readdirSync(where.data).filter((name) => name.includes("password")), []);
});

test("./gadget up: a workspace that was enrolled at a service whose data are gone is enrolled again, with an address of one's own", async (t) => {
  const port = await freePort();
  const folder = temporaryFolder(t, "up");
  const where = { port, data: join(folder, "data"), workspace: join(folder, "workspace"), env: { GADGET_HOST: "0.0.0.0", http_proxy: "http://127.0.0.1:9" } };
  const first = up(t, where);
  await isUp(first);
  process.kill(-first.child.pid, "SIGINT");
  await first.exited;
  rmSync(where.data, { recursive: true });

  const second = up(t, where);
  await isUp(second);
  assert.match(second.output, /enrolling it again/);
  assert.match(second.output, /Drone +connected, working in/);
  assert.ok(second.running);
  assert.ok((await fetch(`http://127.0.0.2:${port}/q/health/live`)).ok, "listens on all addresses");
});

test("./gadget dev: the page with live reload talks to the service, and Ctrl-C leaves nothing behind", async (t) => {
  const port = await freePort();
  const pagePort = await freePort();
  const folder = temporaryFolder(t, "dev");
  const program = up(t, { command: "dev", port, data: join(folder, "data"), workspace: join(folder, "workspace"), env: { GADGET_PAGE_PORT: String(pagePort) } });
  await isUp(program);
  await eventually("the page is served", async () => /<script type="module"/.test(await (await fetch(`http://127.0.0.1:${pagePort}/`)).text()), { programs: [program] });
  assert.equal((await fetch(`http://127.0.0.1:${pagePort}/api/v1/me`)).status, 401, "the page's server passes the API on");
  process.kill(-program.child.pid, "SIGINT");
  await program.exited;
  assert.deepEqual(processesWith(folder), [], "no process of the services is left");
  assert.deepEqual(processesWith(`--port\0${pagePort}`), [], "no process of the page is left");
});

test("./gadget up: a port that is taken is named with the option that changes it", async (t) => {
  const { createServer } = await import("node:http");
  const server = createServer((_, answer) => answer.end("taken"));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  atEnd(t, () => server.close());
  const folder = temporaryFolder(t, "up");
  const program = up(t, { port: server.address().port, data: join(folder, "data"), workspace: join(folder, "workspace") });
  assert.notEqual(await program.exited, 0);
  assert.match(program.output, /port \d+ is taken .* --port/);
});
