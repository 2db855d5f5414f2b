// A llama-server, the real thing: one that runs already, or one that a script starts.
import { eventually, freePort, start } from "./processes.mjs";

const SCRIPTED = "tiny-script";

/** Why there is none, or undefined. */
export const noLlama =
  !process.env.LLAMA_SERVER && !process.env.LLAMA_START &&
  "no llama-server: set LLAMA_SERVER to the base URL of one, or LLAMA_START to a script that starts one on the port it is given";

/** Its base URL up to /v1, its model, and whether that is the scripted one, whose answers are known. */
export async function llama(t) {
  const url = process.env.LLAMA_SERVER?.replace(/\/+(v1\/*)?$/, "") ?? (await started(t));
  const { data } = await (await fetch(`${url}/v1/models`)).json();
  return { openai: `${url}/v1`, model: data[0].id, scripted: data[0].id === SCRIPTED };
}

async function started(t) {
  const port = await freePort();
  const program = start(t, "llama-server", [process.env.LLAMA_START, String(port)], { env: { ...process.env } });
  const url = `http://127.0.0.1:${port}`;
  await eventually("llama-server is ready", async () => (await fetch(`${url}/health`)).ok, { seconds: 60, programs: [program] });
  return url;
}
