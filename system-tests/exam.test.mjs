// A model is tested from the page: a real drone asks it, the page shows where it stands, and what was found goes with the next turn.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { chromiumPath, openPage, signIn } from "./lib/browser.mjs";
import { marking } from "./lib/marking.mjs";
import { eventually, startCodeService, startDrone, startProvider, temporaryFolder } from "./lib/processes.mjs";

/** A model that calls tools well, but only ever one of them, and that knows no password. */
const SCENES = { write: "the tool ", "lorem tokens=200 thinking=5 rate=100": "river", plain: "" };

async function world(t) {
  const provider = await startProvider(t);
  const code = await startCodeService(t);
  const call = await code.signIn();
  await startDrone(t, code, call, temporaryFolder(t, "workspace"));
  const baseUrl = await marking(t, provider.openai, SCENES);
  const made = await call("POST", "/providers", { name: "box", type: "openai", baseUrl, defaultModel: "demo" });
  return { code, call, provider: made };
}

describe("an exam of a model", () => {
  test("over REST: a drone does it, and its profile is kept", async (t) => {
    const { call, provider } = await world(t);

    const begun = await call("POST", `/providers/${provider.id}/exams`, { model: "demo" });
    const seen = new Set();
    const ended = await eventually("the exam has ended", async () => {
      const now = await call("GET", `/providers/${provider.id}/exams/${begun.id}`);
      seen.add(now.done);
      return now.status !== "running" && now;
    });

    assert.equal(ended.status, "done", JSON.stringify(ended.failure));
    assert.ok(seen.size > 1, "its progress is seen");
    // An answer that begins late catches up with its pace, and so comes at once.
    if (ended.profile.firstTokenMillis < 1_500) assert.equal(ended.profile.streaming, true);
    assert.equal(ended.profile.thinking, true);
    assert.equal(ended.profile.toolCalling, "native");
    assert.deepEqual(ended.profile.arguments, { passed: 4, of: 4 });
    assert.deepEqual(ended.profile.edits, { passed: 0, of: 5 });
    assert.ok(ended.profile.tokensPerSecond > 0, JSON.stringify(ended.profile));
    const { items } = await call("GET", `/providers/${provider.id}/profiles`);
    assert.deepEqual(items, [{ model: "demo", profile: ended.profile }]);
  });

  test("in the page: a button, progress, and a badge where a model is chosen", { skip: !chromiumPath && "no Chromium" }, async (t) => {
    const { code } = await world(t);
    const page = await openPage(t, { url: code.url });
    await signIn(page, code.email, code.password);
    await page.goto(`${code.url}/settings/providers`);

    await page.getByRole("button", { name: "Test model" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByTestId("start-exam").click();
    await dialog.getByRole("progressbar").waitFor();
    await dialog.getByTestId("model-profile").waitFor({ timeout: 120_000 });
    assert.match(await dialog.getByTestId("model-profile").innerText(), /tools: native\s+edits 0\/5/);
    await dialog.getByRole("button", { name: "Close" }).last().click();

    const badge = page.getByTestId("model-profile");
    await badge.waitFor();
    assert.match(await badge.innerText(), /tools: native/);
    await page.getByTestId("new-session").click();
    const chosen = page.getByRole("dialog").getByTestId("model-profile");
    await chosen.waitFor();
    assert.match(await chosen.innerText(), /edits 0\/5/);
    assert.deepEqual(page.problems, []);
  });
});
