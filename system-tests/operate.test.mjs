// What those who run Gadget look at: the processes that share a store, logs, metrics, a drone's status.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chromiumPath, openPage, picture, signIn, usable } from "./lib/browser.mjs";
import {
  CodeService, command, eventually, freePort, makeSession, start, startCodeService, startDrone, startProvider, startStore, temporaryFolder,
} from "./lib/processes.mjs";

test("each of two processes at one store tells of both, who ended is not told of, and who was killed is told as silent", async (t) => {
  const store = await startStore(t);
  // Both have the same store, so that one key has to seal what is in it.
  const env = { GADGET_STORE_MONGODB_URL: store.url, GADGET_SECRET_KEY: Buffer.alloc(32, 7).toString("base64") };
  const one = await startCodeService(t, env);
  const two = await startCodeService(t, env);
  const ask = await one.signIn();
  const askTwo = await two.signIn();
  await startDrone(t, two, askTwo, temporaryFolder(t, "workspace"), { GADGET_SANDBOX: "off" });
  const other = (system) => system.processes.find((process) => !process.answers);
  const drones = (process) => process.doors.find((door) => door.door === "drone").readers;

  const seen = await eventually("the first knows of the second's drone", async () => {
    const system = await ask("GET", "/admin/system");
    return system.processes.length === 2 && drones(other(system)) === 1 && system;
  });
  assert.equal(drones(seen.processes[0]), 0);
  assert.deepEqual(seen.processes.map((process) => [process.answers, process.silent]), [[true, false], [false, false]]);
  const fromTwo = await askTwo("GET", "/admin/system");
  assert.deepEqual(fromTwo.processes.map((process) => process.id), seen.processes.map((process) => process.id).reverse());

  if (chromiumPath) {
    const found = [];
    for (const colorScheme of ["light", "dark"]) {
      const page = await openPage(t, { url: one.url, colorScheme });
      await signIn(page, one.email, one.password);
      await page.goto(`${one.url}/settings/system`);
      await page.getByTestId("system-process").nth(1).waitFor();
      assert.match(await page.getByTestId("system-process").nth(0).textContent(), /answers.*0 drones/);
      assert.match(await page.getByTestId("system-process").nth(1).textContent(), /1 drone .*all stored/);
      found.push(...(await usable(page, `system ${colorScheme}`)));
      await page.setViewportSize({ width: 360, height: 740 });
      found.push(...(await usable(page, `system narrow ${colorScheme}`)));
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    }
    assert.deepEqual(found, []);
  }

  await two.program.stop();
  assert.equal((await ask("GET", "/admin/system")).processes.length, 1);

  const three = await new CodeService(t, temporaryFolder(t, "data"), await freePort(), env).start();
  await eventually("the third is known", async () => (await ask("GET", "/admin/system")).processes.length === 2);
  await three.program.kill();
  const silent = await eventually("it is told as silent", async () => {
    const system = await ask("GET", "/admin/system");
    return other(system)?.silent && system;
  }, { seconds: 150, every: 1_000 });
  assert.equal(silent.processes[0].silent, false);
  if (chromiumPath) {
    const page = await openPage(t, { url: one.url, width: 360, colorScheme: "dark" });
    await signIn(page, one.email, one.password);
    await page.goto(`${one.url}/settings/system`);
    await page.getByTestId("system-process").getByText("not seen since").scrollIntoViewIfNeeded();
    await picture(page, "system-silent");
  }
});

test("one turn is followed by its id through the log of the service and of the drone, which have no word of it, and is counted", async (t) => {
  const provider = await startProvider(t);
  const code = await startCodeService(t);
  const call = await code.signIn();
  const workspace = temporaryFolder(t, "workspace");
  const drone = await startDrone(t, code, call, workspace, { GADGET_SANDBOX: "off", GADGET_LOG_LEVEL: "debug" });
  const session = await makeSession(call, { baseUrl: provider.openai, approvalPolicy: "auto" });
  const said = "a secret that nobody logs";
  const turn = await call("POST", `/sessions/${session.id}/turns`, { prompt: `[[write path=a.txt content=${said.replaceAll(" ", "-")}]]` });
  assert.equal(turn.status, "finished", JSON.stringify(turn.error));

  const log = await eventually("the drone's log has the end of the turn", () => {
    const text = readFileSync(join(workspace, ".gadget/logs/drone.log"), "utf8");
    return text.includes(`turn ends turnId=${turn.id} status=finished code=none`) && text;
  });
  const ofDrone = log.split("\n").filter((line) => line.includes(`turnId=${turn.id}`));
  for (const line of [/ INFO .*turn starts /, / INFO .*round ended .* reason=tool_calls firstMs=\d+ /, / DEBUG .*mode .* currentMode=tool /, / INFO .*tool call ended .* tool=write_file state=done ms=\d+/, / INFO .*round ended .* reason=stop /]) {
    assert.ok(ofDrone.some((one) => line.test(one)), `${line} in\n${ofDrone.join("\n")}`);
  }
  await eventually("the service's log has the end of the turn", () => code.program.output.includes(`turn ended turnId=${turn.id}`));
  for (const line of ["turn accepted", "turn runs", "turn ended"]) assert.ok(code.program.output.includes(`${line} turnId=${turn.id}`), line);
  for (const text of [log, drone.output, code.program.output]) assert.doesNotMatch(text, /secret/);

  const metrics = await eventually("the drone is counted as free again", async () => {
    const text = await (await fetch(`${code.url}/q/metrics`)).text();
    return /^gadget_drones\{status="available"\} 1(\.0)?$/m.test(text) && text;
  });
  assert.match(metrics, /^gadget_turns_ended_total\{status="finished"\} 1(\.0)?$/m);

  const status = async (...more) => {
    const asked = start(t, "status", [...command("drone"), "status", "--workspace", workspace, ...more]);
    assert.equal((await asked.exited).code, 0, asked.output);
    return asked.output;
  };
  assert.match(await status(), new RegExp(`running +yes, since .*process ${drone.pid}, version .*\\nconnected +to ${code.url} since `));
  await code.program.stop();
  const away = await eventually("it says that it is not connected", async () => {
    const told = JSON.parse((await status("--json")).replace(/^[^{]*/, ""));
    return !told.drone.connection.connected && told;
  });
  assert.ok(away.drone.connection.lost);
  assert.ok(away.log.endsWith("/.gadget/logs/drone.log"));

  await drone.stop();
  const wrong = start(t, "drone", [...command("drone"), "run", "--workspace", workspace, "--log-level", "loud"]);
  assert.equal((await wrong.exited).code, 2);
  assert.match(wrong.output, /--log-level .*'loud'.*error, warn, info, debug/);
  assert.match(await status(), /running +no/);
});

test("what is to be stored is seen growing old while the store does not answer, and is over when it does", async (t) => {
  const provider = await startProvider(t);
  const store = await startStore(t);
  const code = await startCodeService(t, { GADGET_STORE_MONGODB_URL: store.url, GADGET_STORE_TIMEOUT: "2s" });
  const call = await code.signIn();
  await startDrone(t, code, call, temporaryFolder(t, "workspace"), { GADGET_SANDBOX: "off" });
  const session = await makeSession(call, { baseUrl: provider.openai, reasoningEffort: "low" });
  const metric = async (name) => {
    const text = await (await fetch(`${code.url}/q/metrics`)).text();
    const line = text.split("\n").find((one) => one.startsWith(`${name} `));
    assert.ok(line, name);
    return Number(line.slice(name.length + 1));
  };
  const { turnId } = await call("POST", `/sessions/${session.id}/turns`, { prompt: "[[lorem tokens=1000 thinking=100 rate=50]]" }, { prefer: "respond-async" });
  await eventually("it runs", async () => (await metric('gadget_turns{status="processing"}')) === 1);
  process.kill(store.program.pid, "SIGSTOP");
  try {
    await eventually("what waits grows old", async () => (await metric("gadget_unsaved_seconds")) > 3);
    assert.ok((await metric("gadget_unsaved_entries")) > 0);
    await eventually("the failure is counted", async () => (await metric("gadget_turn_writes_failed_total")) > 0 && (await metric("gadget_store_failures_total")) > 0 && (await metric("gadget_unsaved_turns")) === 1);
  } finally {
    process.kill(store.program.pid, "SIGCONT");
  }
  await eventually("the turn ends", async () => (await call("GET", `/turns/${turnId}`)).status === "finished");
  await eventually("all is stored", async () => (await metric("gadget_unsaved_turns")) === 0 && (await metric("gadget_unsaved_seconds")) === 0 && (await metric("gadget_unsaved_entries")) === 0);
  assert.ok((await metric("gadget_turn_writes_total")) > 0);
});
