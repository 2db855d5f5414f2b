// Everything that runs, for a measurement: the scripted provider, the service and a drone on a fresh workspace.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { droneCommand, java, ROOT, Service } from "./service.mjs";

export const sleep = (millis) => new Promise((done) => setTimeout(done, millis));
export const script = (rounds, options = "") => `[[script${options}]] ${JSON.stringify(rounds)}`;

export async function until(what, check, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await sleep(50);
  }
}

export async function startScene({ native, drone: droneOptions = [], fill = () => {} }) {
  const workspace = mkdtempSync(join(tmpdir(), "gadget-bench-workspace-"));
  fill(workspace);
  const portFile = join(workspace, "..", `gadget-bench-port-${process.pid}-${Math.random()}`);
  const provider = spawn(java(), ["-jar", join(ROOT, "scripted-provider/target/scripted-provider.jar"), "--port", "0", "--port-file", portFile], { stdio: "ignore" });
  const port = await until("the scripted provider", () => existsSync(portFile) && readFileSync(portFile, "utf8").trim());
  const service = await Service.start({ native });
  await service.signIn();
  const { code } = await service.call("POST", "/drones/enrolments", {});
  const [program, ...first] = droneCommand(native);
  execFileSync(program, [...first, "enroll", "--server", service.url, "--code", code, "--workspace", workspace], { stdio: "ignore" });
  const drone = spawn(program, [...first, "run", "--workspace", workspace, "--server", service.url, ...droneOptions], { stdio: "ignore" });
  await until("the drone", async () => (await service.call("GET", "/drones")).items.some((one) => one.status === "available"));
  const { id: providerId } = await service.call("POST", "/providers", { name: "bench", type: "openai", baseUrl: `http://127.0.0.1:${port}/v1` });
  const { id: projectId } = await service.call("POST", "/projects", { name: "bench" });
  return {
    service,
    drone,
    workspace,
    projectId,
    providerId,
    session: (wanted = {}) => service.call("POST", "/sessions", { projectId, providerId, model: "demo", approvalPolicy: "auto", limits: { maxRounds: 500 }, ...wanted }),
    stop: async () => {
      drone.kill("SIGTERM");
      provider.kill();
      await service.stop();
      rmSync(workspace, { recursive: true, force: true });
      rmSync(portFile, { force: true });
    },
  };
}
