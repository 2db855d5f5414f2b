// Starts the programs as a person would, watches their output, and ends them by their process id.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const NATIVE = {
  code: join(ROOT, "code-service/target/gadget-code-service"),
  drone: join(ROOT, "drone-service/target/gadget-drone"),
};
const JARS = {
  code: join(ROOT, "code-service/target/quarkus-app/quarkus-run.jar"),
  drone: join(ROOT, "drone-service/target/quarkus-app/quarkus-run.jar"),
  provider: join(ROOT, "scripted-provider/target/scripted-provider.jar"),
};

/** Whether the tests run the native pair: when both are built, unless GADGET_TEST_NATIVE=no. */
export const native =
  process.env.GADGET_TEST_NATIVE !== "no" && existsSync(NATIVE.code) && existsSync(NATIVE.drone);

export function java() {
  const home = process.env.JAVA_HOME;
  if (!home) throw new Error("JAVA_HOME has to name a JDK 25; ./gadget test sets it");
  return join(home, "bin/java");
}

export function command(program) {
  if (program !== "provider" && native) return [NATIVE[program]];
  if (!existsSync(JARS[program])) throw new Error(`${JARS[program]} is not built; ./gadget build builds it`);
  return [java(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-jar", JARS[program]];
}

const ends = new WeakMap();

/**
 * Does this when the test is over, what was asked for last first: a program has stopped before the folder it works in goes. The runner's own `after` begins
 * with the oldest.
 */
export function atEnd(t, action) {
  const actions = ends.get(t) ?? [];
  if (actions.push(action) > 1) return;
  ends.set(t, actions);
  t.after(async () => {
    ends.delete(t);
    const errors = [];
    for (const each of actions.reverse()) await Promise.resolve().then(each).catch((error) => errors.push(error));
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
  });
}

/** A fresh folder that is removed at the end of the test. */
export function temporaryFolder(t, name) {
  const folder = mkdtempSync(join(tmpdir(), `gadget-${name}-`));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }));
  return folder;
}

/** Whoever was given one may not listen yet, and comes back to it after a kill. */
const given = new Set();

/** Outside the range from which outgoing connections get theirs: one of those may take it until it is used. */
export async function freePort() {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 17_000);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

function isFree(port) {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", () => done(false));
    server.listen(port, "127.0.0.1", () => server.close(() => done(true)));
  });
}

const running = new Set();
// The runner ends a file of tests that takes too long, without what is to be done at their ends.
process.on("exit", () => {
  for (const program of running) program.child.kill("SIGKILL");
});
if (process.env.NODE_TEST_CONTEXT) process.once("SIGTERM", () => process.exit(143));

/** One running program. */
export class Program {
  constructor(name, argv, { env = {}, cwd } = {}) {
    this.name = name;
    this.output = "";
    const clean = { PATH: process.env.PATH, HOME: process.env.HOME, LANG: "C.UTF-8", ...env };
    this.child = spawn(argv[0], argv.slice(1), { env: clean, cwd, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (text) => {
        this.output += text;
      });
    }
    this.exited = new Promise((done) => this.child.once("close", (code, signal) => done({ code, signal })));
    this.running = true;
    running.add(this);
    this.exited.then(() => {
      this.running = false;
      running.delete(this);
    });
  }

  get pid() {
    return this.child.pid;
  }

  kill(signal = "SIGKILL") {
    if (this.running) this.child.kill(signal);
    return this.exited;
  }

  async stop(signal = "SIGTERM", seconds = 20) {
    if (!this.running) return this.exited;
    this.child.kill(signal);
    const late = setTimeout(() => this.child.kill("SIGKILL"), seconds * 1000);
    const how = await this.exited;
    clearTimeout(late);
    return how;
  }
}

export function start(t, name, argv, options) {
  const program = new Program(name, argv, options);
  atEnd(t, async () => {
    await program.stop();
    if (!t.passed && process.env.GADGET_TEST_VERBOSE) console.error(`---- ${name}\n${program.output.slice(-8000)}`);
  });
  return program;
}

/** Asks again and again until the answer is true, at most so many seconds; what failed last is told. */
export async function eventually(what, check, { seconds = 90, every = 50, programs = [] } = {}) {
  const until = Date.now() + seconds * 1000;
  let last;
  for (;;) {
    try {
      const value = await check();
      if (value) return value;
    } catch (error) {
      last = error;
    }
    const dead = programs.find((program) => !program.running);
    if (dead || Date.now() > until) {
      const why = dead ? `${dead.name} has stopped` : `not within ${seconds} s`;
      const tails = programs.map((program) => `---- ${program.name}\n${program.output.slice(-3000)}`).join("\n");
      throw new Error(`${what}: ${why}${last ? ` (${last.message})` : ""}\n${tails}`);
    }
    await new Promise((done) => setTimeout(done, every));
  }
}

export async function startProvider(t) {
  const folder = temporaryFolder(t, "provider");
  const portFile = join(folder, "port");
  const program = start(t, "provider", [...command("provider"), "--port", "0", "--port-file", portFile]);
  await eventually("the scripted provider", () => existsSync(portFile) && readFileSync(portFile, "utf8").trim(), {
    programs: [program],
  });
  const port = Number(readFileSync(portFile, "utf8").trim());
  return { program, port, openai: `http://127.0.0.1:${port}/v1`, ollama: `http://127.0.0.1:${port}` };
}

/** A MongoDB-compatible store as a process of its own, for services that are told where it is. */
export async function startStore(t) {
  const port = await freePort();
  const libraries = join(ROOT, "code-service/target/quarkus-app/lib/main/*");
  const program = start(t, "store", [java(), "-cp", libraries, join(ROOT, "system-tests/faults/StoreServer.java"), String(port)]);
  await eventually("the store answers", () => program.output.includes("ready"), { seconds: 60, programs: [program] });
  return { program, port, url: `mongodb://127.0.0.1:${port}/?directConnection=true` };
}

/** The code service on a data folder; `start()` again after a stop takes the same folder and port. */
export class CodeService {
  constructor(t, data, port, env = {}) {
    this.t = t;
    this.data = data;
    this.port = port;
    this.env = env;
    this.url = `http://127.0.0.1:${port}`;
    this.email = "admin@localhost";
    this.password = "a long enough password";
  }

  async start() {
    this.program = start(this.t, "code", command("code"), {
      env: {
        QUARKUS_HTTP_HOST: "127.0.0.1",
        QUARKUS_HTTP_PORT: String(this.port),
        GADGET_DATA_DIR: this.data,
        GADGET_ADMIN_EMAIL: this.email,
        GADGET_ADMIN_PASSWORD: this.password,
        ...this.env,
      },
    });
    await eventually("the code service is ready", async () => (await fetch(`${this.url}/q/health/ready`)).ok, {
      seconds: 90,
      programs: [this.program],
    });
    return this;
  }

  /** A signed-in caller: `call(method, path, body)` gives the JSON, and throws the problem. */
  async signIn() {
    const answer = await fetch(`${this.url}/api/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: this.email, password: this.password }),
    });
    if (!answer.ok) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`);
    const cookie = answer.headers.getSetCookie()[0].split(";")[0];
    const call = async (method, path, body, headers = {}) => {
      const response = await fetch(`${this.url}/api/v1${path}`, {
        method,
        headers: { cookie, accept: "application/json", ...(body ? { "content-type": "application/json" } : {}), ...headers },
        body: body ? JSON.stringify(body) : undefined,
      });
      const text = await response.text();
      const value = text && text.startsWith("{") ? JSON.parse(text) : text;
      if (!response.ok) throw Object.assign(new Error(`${method} ${path}: ${response.status} ${text}`), { status: response.status, problem: value });
      return value;
    };
    call.cookie = cookie;
    return call;
  }
}

export async function startCodeService(t, env) {
  return new CodeService(t, temporaryFolder(t, "data"), await freePort(), env).start();
}

/** Enrols a drone in a workspace and runs it, with more in its environment when that is given. */
export async function startDrone(t, code, call, workspace, env = {}) {
  const { code: enrolment } = await call("POST", "/drones/enrolments", {});
  const enrol = start(t, "enroll", [...command("drone"), "enroll", "--server", code.url, "--code", enrolment, "--workspace", workspace]);
  const how = await enrol.exited;
  if (how.code !== 0) throw new Error(`enroll ended with ${how.code}: ${enrol.output}`);
  return runDrone(t, code, call, workspace, env);
}

export async function runDrone(t, code, call, workspace, env = {}) {
  const drone = start(t, "drone", [...command("drone"), "run", "--workspace", workspace, "--server", code.url], { env });
  await eventually(
    "the drone is available",
    async () => (await call("GET", "/drones")).items.some((item) => item.workspaceDir === workspace && item.status === "available"),
    { seconds: 120, programs: [drone, code.program] },
  );
  return drone;
}

/** A provider, a project and a session, all by REST. */
export async function makeSession(call, { baseUrl, type = "openai", model = "demo", apiKey, ...session }) {
  const suffix = Math.random().toString(36).slice(2, 8);
  const provider = await call("POST", "/providers", { name: `provider-${suffix}`, type, baseUrl, ...(apiKey ? { apiKey } : {}) });
  const project = await call("POST", "/projects", { name: `project-${suffix}` });
  return call("POST", "/sessions", { projectId: project.id, providerId: provider.id, model, ...session });
}

/** The processes that work in this folder, as /proc knows them, but for one. */
export function processesIn(folder, except) {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === except) return false;
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  });
}
