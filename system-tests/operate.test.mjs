// What those who run Gadget look at: the processes that share a store.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chromiumPath, openPage, picture, signIn, usable } from "./lib/browser.mjs";
import { CodeService, eventually, freePort, startCodeService, startDrone, startStore, temporaryFolder } from "./lib/processes.mjs";

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
