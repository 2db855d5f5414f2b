// A llama-server, the real thing: one that runs already, or one that a script starts.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { eventually, freePort, ROOT, start, temporaryFolder } from "./processes.mjs";

const { LLAMA_SERVER, LLAMA_START, LLAMA_MAKE_MODEL } = process.env;
/** The model that replays llama-scenarios.json goes by this name. */
const SCRIPTED = "gadget-script";

/** Why there is none, or undefined. */
export const noLlama =
  !LLAMA_SERVER && !LLAMA_START &&
  "no llama-server: set LLAMA_SERVER to the base URL of one, or LLAMA_START to a script that starts one on the port it is given";

/** Whether one can be started with options of our own. */
export const startsLlama = Boolean(LLAMA_START) && !LLAMA_SERVER;

/** Its base URL up to /v1, its model, and whether that is the scripted one, whose answers are known. */
export async function llama(t, context = 49_152, scenarios = "llama-scenarios.json") {
  const url = LLAMA_SERVER?.replace(/\/+(v1\/*)?$/, "") ?? (await started(t, context, scenarios));
  const { data } = await (await fetch(`${url}/v1/models`)).json();
  return { openai: `${url}/v1`, model: data[0].id, scripted: data[0].id === SCRIPTED };
}

async function started(t, context, scenarios) {
  const port = await freePort();
  const argv = [LLAMA_START, String(port), "-c", String(context), "--parallel", "2", ...scriptedModel(t, scenarios)];
  const program = start(t, "llama-server", argv, { env: { ...process.env } });
  const url = `http://127.0.0.1:${port}`;
  await eventually("llama-server is ready", async () => (await fetch(`${url}/health`)).ok, { seconds: 60, programs: [program] });
  return url;
}

/** The options that load the scripted model, made by the generator; none where there is no generator: the script's own model then. */
function scriptedModel(t, scenarios) {
  const generator = LLAMA_MAKE_MODEL ?? join(dirname(LLAMA_START), "tiny/make-gguf.mjs");
  if (!existsSync(generator)) return [];
  const model = join(temporaryFolder(t, "model"), "script.gguf");
  execFileSync(process.execPath, [generator, join(ROOT, "system-tests", scenarios), model], { stdio: "pipe" });
  return ["-m", model, "--alias", SCRIPTED];
}
