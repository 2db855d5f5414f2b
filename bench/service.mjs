// Starts the code service on a fresh data folder, and speaks its HTTP API.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const NATIVE_CODE = join(ROOT, "code-service/target/gadget-code-service");
export const NATIVE_DRONE = join(ROOT, "drone-service/target/gadget-drone");
export const JAR_CODE = join(ROOT, "code-service/target/quarkus-app/quarkus-run.jar");
export const JAR_DRONE = join(ROOT, "drone-service/target/quarkus-app/quarkus-run.jar");

export function java() {
  return process.env.JAVA_HOME ? join(process.env.JAVA_HOME, "bin/java") : "java";
}

export function codeCommand(native) {
  return native ? [NATIVE_CODE] : [java(), "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-jar", JAR_CODE];
}

export function droneCommand(native) {
  return native ? [NATIVE_DRONE] : [java(), "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-jar", JAR_DRONE];
}

export const nativeBuilt = () => existsSync(NATIVE_CODE) && existsSync(NATIVE_DRONE);

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

export class Service {
  static async start({ native = false, env = {}, data } = {}) {
    const service = new Service();
    service.data = data ?? mkdtempSync(join(tmpdir(), "gadget-bench-"));
    service.port = await freePort();
    service.url = `http://127.0.0.1:${service.port}`;
    service.email = "admin@localhost";
    service.password = "a long enough password";
    service.output = "";
    const argv = codeCommand(native);
    const began = performance.now();
    service.child = spawn(argv[0], argv.slice(1), {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        LANG: "C.UTF-8",
        QUARKUS_HTTP_HOST: "127.0.0.1",
        QUARKUS_HTTP_PORT: String(service.port),
        GADGET_DATA_DIR: service.data,
        GADGET_ADMIN_EMAIL: service.email,
        GADGET_ADMIN_PASSWORD: service.password,
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [service.child.stdout, service.child.stderr]) {
      stream.on("data", (text) => {
        service.output = (service.output + text).slice(-20_000);
      });
    }
    service.exited = new Promise((done) => service.child.once("exit", done));
    for (;;) {
      if (service.child.exitCode !== null || performance.now() - began > 60_000) {
        throw new Error(`the code service did not become ready\n${service.output}`);
      }
      const ready = await fetch(`${service.url}/q/health/ready`).then((answer) => answer.ok, () => false);
      if (ready) break;
      await new Promise((done) => setTimeout(done, 5));
    }
    service.readyMillis = performance.now() - began;
    return service;
  }

  get pid() {
    return this.child.pid;
  }

  async signIn() {
    const answer = await fetch(`${this.url}/api/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: this.email, password: this.password }),
    });
    if (!answer.ok) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`);
    this.cookie = answer.headers.getSetCookie()[0].split(";")[0];
  }

  async call(method, path, body, headers = {}) {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { cookie: this.cookie, accept: "application/json", ...(body ? { "content-type": "application/json" } : {}), ...headers },
      body: body ? JSON.stringify(body) : undefined,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  }

  /** Ends it, and removes its data unless they are wanted again. */
  async stop({ keep = false } = {}) {
    this.child.kill("SIGTERM");
    const late = setTimeout(() => this.child.kill("SIGKILL"), 20_000);
    await this.exited;
    clearTimeout(late);
    if (!keep) rmSync(this.data, { recursive: true, force: true });
  }
}

/** A MongoDB in memory in a process of its own, so that the figures are those of the service without its database. */
export class ExternalStore {
  static async start() {
    const store = new ExternalStore();
    const port = await freePort();
    const libraries = join(ROOT, "code-service/target/quarkus-app/lib/main/*");
    store.url = `mongodb://127.0.0.1:${port}/?directConnection=true`;
    store.child = spawn(java(), ["-cp", libraries, join(ROOT, "system-tests/faults/StoreServer.java"), String(port)], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    await new Promise((ready, failed) => {
      store.child.stdout.on("data", (text) => String(text).includes("ready") && ready());
      store.child.once("exit", (code) => failed(new Error(`the store ended with ${code}`)));
    });
    return store;
  }

  stop() {
    this.child.removeAllListeners("exit");
    this.child.kill();
  }
}
