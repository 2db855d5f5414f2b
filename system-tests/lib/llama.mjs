// A llama-server, the real thing: one that runs already, or one that a script starts.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, request } from "node:http";
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
export async function llama(t, context = 24_576, scenarios = "llama-scenarios.json") {
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

/** Stands before a server and puts a mark into the last prompt of each request, by what it says: the scripted model answers marks only. */
export async function marking(t, base, marks) {
  const target = new URL(base);
  const server = createServer(async (incoming, answer) => {
    const parts = [];
    for await (const part of incoming) parts.push(part);
    const body = marked(Buffer.concat(parts), marks);
    const headers = { ...incoming.headers, host: target.host, "content-length": String(body.length) };
    const onward = request(new URL(incoming.url, target), { method: incoming.method, headers }, (came) => {
      answer.writeHead(came.statusCode, came.headers);
      came.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    onward.end(body);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}/v1`;
}

function marked(bytes, marks) {
  if (bytes.length === 0) return bytes;
  const body = JSON.parse(bytes);
  const last = body.messages?.findLast((message) => message.role === "user");
  const mark = last && Object.keys(marks).find((name) => last.content.includes(marks[name]));
  if (mark) last.content += ` [[${mark}]]`;
  return Buffer.from(JSON.stringify(body));
}
