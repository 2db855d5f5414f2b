// What readers do, and what is done to them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atEnd, eventually, java, ROOT, start } from "../lib/processes.mjs";
import { chromiumPath, openPage, signIn } from "../lib/browser.mjs";
import { numbersIn } from "./checker.mjs";
import { SocketReader } from "./readers.mjs";
import { heldBy, lorem, pause, streaming } from "./steps.mjs";
import { ToxicProxy } from "./toxic-proxy.mjs";

/** Programs with small receive buffers that follow the turn and stop reading; `ports()` are those of their sockets. */
async function lazyReaders(rig, turnId, count) {
  const source = join(ROOT, "system-tests/faults/LazyReaders.java");
  const program = start(rig.t, "lazy readers", [java(), source, String(rig.code.port), `/api/v1/turns/${turnId}/events`, rig.call.cookie, String(count)]);
  const ports = () => [...program.output.matchAll(/port (\d+)/g)].map(([, port]) => Number(port));
  await eventually("they are connected", () => ports().length === count && openConnections(rig.code.port, ports()) === count, { seconds: 30, programs: [program] });
  return ports();
}

export const READER_SCENARIOS = {
  F11: {
    what: "the page reloaded again and again in mid-stream",
    skip: chromiumPath ? undefined : "no Chromium is installed (package 'chromium')",
    async run(rig) {
      const page = await openPage(rig.t, { url: rig.code.url });
      await signIn(page, rig.code.email, rig.code.password);
      await page.goto(`${rig.code.url}/sessions/${rig.session.id}`);
      const run = await rig.stream(lorem({ tokens: 2400, rate: 100 }), 2440);
      await page.getByTestId("block-responding").first().waitFor();
      const faults = [];
      for (let reload = 0; reload < 20; reload += 1) {
        await pause(rig.random() * 600);
        const before = numbersIn(await page.getByTestId("block-responding").last().textContent()).length;
        await page.reload();
        await page.getByTestId("block-responding").first().waitFor();
        const after = numbersIn(await page.getByTestId("block-responding").last().textContent()).length;
        if (after < before) faults.push(`after a reload ${after} tokens were shown, before it ${before}`);
      }
      const result = await rig.finish(run);
      await page.getByTestId("turn-status").last().and(page.locator('[data-status="finished"]')).waitFor({ timeout: 30_000 });
      const shown = numbersIn(await page.getByTestId("block-responding").last().textContent());
      const stored = numbersIn((await rig.turn(run.turnId)).blocks.findLast((block) => block.mode === "responding").content);
      if (JSON.stringify(shown) !== JSON.stringify(stored)) faults.push(`the page shows ${shown.length} tokens, stored are ${stored.length}`);
      result.faults.push(...faults, ...page.problems);
      return result;
    },
  },
  F12: {
    what: "twenty tabs on one session, two of them submit at once",
    async run(rig) {
      const submit = () => rig.call("POST", `/sessions/${rig.session.id}/turns`, { prompt: lorem({ tokens: 200, rate: 100 }) }, { prefer: "respond-async" }).then((answer) => answer.turnId, (error) => error.problem?.code);
      const answers = await Promise.all([submit(), submit()]);
      const refused = answers.filter((answer) => answer === "turn_running");
      const turnId = answers.find((answer) => answer !== "turn_running");
      const tabs = Array.from({ length: 20 }, (_, tab) => new SocketReader(`tab ${tab}`, rig.code.url, rig.call.cookie, turnId));
      atEnd(rig.t, () => tabs.forEach((tab) => tab.stop()));
      const result = await rig.finish({ turnId, tokens: 240, readers: tabs });
      if (refused.length !== 1) result.faults.push(`of two prompts at once ${refused.length} were refused: ${answers}`);
      return result;
    },
  },
  F13: {
    what: "readers cut again and again",
    async run(rig) {
      const run = await rig.stream(lorem({ tokens: 400, rate: 150 }), 440);
      for (let cut = 0; cut < 12; cut += 1) {
        await pause(50 + rig.random() * 250);
        for (const reader of run.readers) if (rig.random() < 0.6) reader.cut();
      }
      return rig.finish(run);
    },
  },
  F17b: {
    what: "a running turn of 2 MB is opened over a line of 30 kB/s",
    // It stops the provider.
    alone: true,
    skip: chromiumPath ? undefined : "no Chromium is installed (package 'chromium')",
    async run(rig) {
      const line = await new ToxicProxy(rig.code.port, rig.random).listen();
      atEnd(rig.t, () => line.close());
      const page = await openPage(rig.t, { url: line.url });
      page.setDefaultTimeout(120_000);
      await signIn(page, rig.code.email, rig.code.password);
      const run = await rig.stream(lorem({ tokens: 300_000, rate: 12_000 }), 300_040);
      await streaming(rig, run.turnId, 2_000_000);
      const { pid } = rig.provider.program;
      // It goes on a little now and then: a turn that says nothing for long is given up.
      process.kill(pid, "SIGSTOP");
      atEnd(rig.t, () => rig.provider.program.running && process.kill(pid, "SIGCONT"));
      const shownText = async () => (await page.getByTestId("block-responding").allTextContents()).join("");
      let going = true;
      const goesOn = (async () => {
        for (; going; await pause(15_000)) {
          process.kill(pid, "SIGCONT");
          await pause(50);
          process.kill(pid, "SIGSTOP");
        }
      })();
      let sockets = 0;
      page.on("websocket", () => (sockets += 1));
      line.bandwidth(30_000);
      await page.evaluate((path) => { history.pushState(null, "", path); dispatchEvent(new PopStateEvent("popstate")); }, `/sessions/${rig.session.id}`);
      const faults = [];
      await eventually("the page shows what came", async () => {
        return (await shownText()).length > 1_900_000;
      }, { seconds: 300, every: 2000, programs: rig.programs() }).catch((error) => faults.push(error.message.split("\n")[0]));
      going = false;
      await goesOn;
      process.kill(pid, "SIGCONT");
      const result = await rig.finish(run);
      await page.getByTestId("turn-status").last().and(page.locator('[data-status="finished"]')).waitFor({ timeout: 120_000 });
      const shown = numbersIn(await shownText());
      const stored = numbersIn((await rig.turn(run.turnId)).blocks.filter((block) => block.mode === "responding").map((block) => block.content).join(""));
      if (JSON.stringify(shown) !== JSON.stringify(stored)) faults.push(`the page shows ${shown.length} tokens, stored are ${stored.length}`);
      if (sockets > 0) faults.push(`the page connected again ${sockets} times`);
      result.faults.push(...faults);
      return result;
    },
  },
  F14: {
    what: "readers that stop reading",
    async run(rig) {
      const run = await rig.stream("[[fault endless rate=12000]]", undefined);
      await streaming(rig, run.turnId, 1000);
      const lazy = await lazyReaders(rig, run.turnId, 5);
      const faults = [];
      const before = run.readers.map((reader) => heldBy(reader));
      await eventually("the readers that stopped are closed", () => openConnections(rig.code.port, lazy) === 0, { seconds: 110, every: 500 }).catch((error) =>
        faults.push(error.message.split("\n")[0]),
      );
      run.readers.forEach((reader, index) => {
        if (heldBy(reader) <= before[index]) faults.push(`${reader.name} got nothing meanwhile`);
      });
      await rig.call("POST", `/turns/${run.turnId}/cancel`, {}).catch(() => {});
      const result = await rig.finish(run, "cancelled");
      result.faults.push(...faults);
      return result;
    },
  },
};

/** How many connections from these ports the service still has open: who does not read does not notice an end. */
function openConnections(port, ports) {
  const mine = new Set(ports);
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  return ["/proc/net/tcp", "/proc/net/tcp6"]
    .flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, remote, state]) => local?.endsWith(`:${hex}`) && state === "01" && mine.has(Number.parseInt(remote.split(":")[1], 16))).length;
}
