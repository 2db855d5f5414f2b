// A terminal in a real browser, on a real pseudo-terminal of a real drone: typed, resized, loaded again, ended, and refused where it is off.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { chromiumPath, openPage, picture, signIn } from "./lib/browser.mjs";
import { eventually, makeSession, startCodeService, startDrone, startProvider, temporaryFolder } from "./lib/processes.mjs";

async function begin(t, { size = { width: 1500, height: 900 }, env } = {}) {
  const provider = await startProvider(t);
  const code = await startCodeService(t);
  const call = await code.signIn();
  const workspace = temporaryFolder(t, "workspace");
  const drone = await startDrone(t, code, call, workspace, env);
  const session = await makeSession(call, { baseUrl: provider.openai, workspaceId: (await call("GET", "/drones")).items[0].workspaceId });
  const page = await openPage(t, { url: code.url, ...size });
  await signIn(page, code.email, code.password);
  await page.goto(`${code.url}/sessions/${session.id}`);
  await page.getByTestId("panel-toggle").click();
  await page.getByTestId("panel-tab-terminal").click();
  return { code, call, workspace, session, page, drone };
}

const state = (page, wanted) => page.locator(`[data-testid="terminal"][data-state="${wanted}"]`);
const rows = (page) => page.locator('[data-testid="terminal-screen"] .xterm-rows');

/** What the screen shows, without the padding of its cells. */
const shown = (page) => rows(page).evaluate((element) => [...element.children].map((row) => row.textContent.replaceAll("\u00a0", " ").trimEnd()).join("\n"));
const shows = (page, pattern) => eventually(`the screen shows ${pattern}`, async () => pattern.test(await shown(page)));

async function type(page, text) {
  await page.locator(".xterm-helper-textarea").focus();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

describe("the terminal in the page", { skip: !chromiumPath && "no Chromium is installed (package 'chromium')" }, () => {
  test("what is typed runs, is there after a reload, and follows the size of the panel", async (t) => {
    const { workspace, page } = await begin(t, { env: { GADGET_TERMINAL: "true", SHELL: "/bin/bash" } });
    await state(page, "open").waitFor({ timeout: 30_000 });
    await type(page, "PS1='$ '; clear; printf '\\033[38;2;200;30;30mred\\033[0m \\033[1;32mgreen\\033[0m\\n'; echo h''i $((40 + 2)) ä😀");
    await shows(page, /^hi 42 ä😀$/m);
    await shows(page, /^red green$/m);
    const red = await rows(page).evaluate((element) => {
      const span = [...element.querySelectorAll("span")].find((one) => one.textContent.startsWith("red"));
      return getComputedStyle(span).color;
    });
    assert.equal(red, "rgb(200, 30, 30)", "a colour of the program's own");
    await picture(page, "terminal-light");

    // The signal throws away what was typed and not yet read: it comes when the shell has read the line.
    await type(page, "echo be''gun; sleep 600");
    await shows(page, /^begun$/m);
    await page.keyboard.press("Control+c");
    await type(page, "echo after-$?");
    await shows(page, /^after-130$/m);

    await type(page, "stty size > before");
    await eventually("the shell knows its size", () => existsSync(join(workspace, "before")) && readFileSync(join(workspace, "before"), "utf8").length > 2);
    await page.getByRole("separator", { name: "Width of the panel" }).focus();
    for (let step = 0; step < 10; step += 1) await page.keyboard.press("ArrowLeft");
    const [height, width] = readFileSync(join(workspace, "before"), "utf8").trim().split(" ").map(Number);
    await eventually("it knows another one", async () => {
      await type(page, "stty size > after");
      const [, wider] = readFileSync(join(workspace, "after"), "utf8").trim().split(" ").map(Number);
      return wider > width + 20;
    });
    assert.ok(height > 10);

    await page.reload();
    await state(page, "open").waitFor();
    await shows(page, /^hi 42 ä😀$/m);
    await type(page, "echo still-$$");
    await shows(page, /^still-\d+$/m);
    assert.doesNotMatch(await shown(page), /\[\?|;\d+c/, "nothing that xterm answered to old output was typed");

    // A selection is copied, and pasted as one piece.
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const word = await rows(page).getByText("hi 42").first().boundingBox();
    await page.mouse.dblclick(word.x + 5, word.y + 8);
    await page.keyboard.press("Control+c");
    await eventually("the word is in the clipboard", async () => (await page.evaluate(() => navigator.clipboard.readText())).trim() === "hi");
    await page.evaluate(() => navigator.clipboard.writeText("echo pas''ted"));
    await page.locator(".xterm-helper-textarea").focus();
    await page.keyboard.press("Control+v");
    await page.keyboard.press("Enter");
    await shows(page, /^pasted$/m);

    await page.evaluate(() => document.documentElement.setAttribute("data-theme", "dark"));
    await picture(page, "terminal-dark");
    await page.keyboard.press("Shift+Escape");
    assert.equal(await page.evaluate(() => document.activeElement.id), "panel-tab-terminal");

    await type(page, "sleep 601 & echo $! > child");
    await eventually("the child is there", () => existsSync(join(workspace, "child")) && readFileSync(join(workspace, "child"), "utf8").length > 1);
    const child = readFileSync(join(workspace, "child"), "utf8").trim();
    await page.getByTestId("terminal-end").click();
    await page.getByText("End all that runs in it?").click();
    await page.getByTestId("terminal-closed").waitFor();
    await eventually("what it had started is ended", () => !existsSync(`/proc/${child}`));
    await page.getByTestId("terminal-another").click();
    await state(page, "open").waitFor();
    await type(page, "exit 3");
    await page.getByText("exit code 3").waitFor();
    assert.deepEqual(page.problems, [], "the content policy lets the terminal be");
  });

  test("much output is shown to its end, and the page stays usable", async (t) => {
    const { page } = await begin(t, { env: { GADGET_TERMINAL: "true", SHELL: "/bin/sh" } });
    await state(page, "open").waitFor({ timeout: 30_000 });
    await type(page, "seq 1 300000; echo do''ne");
    await eventually("it is through", async () => /^300000\ndone$/m.test(await shown(page)), { seconds: 60 });
    assert.deepEqual(page.problems, []);
  });

  test("a drone that does not allow terminals says how they are turned on; one that is away is waited for", async (t) => {
    const { page, drone } = await begin(t);
    const refused = page.getByTestId("terminal-refused");
    await refused.and(page.locator('[data-code="forbidden"]')).waitFor({ timeout: 30_000 });
    await refused.locator("code", { hasText: "gadget-drone run --terminal" }).waitFor();
    assert.match(drone.output, /Terminals are off \(--terminal allows them\)/);
    await picture(page, "terminal-off");
    await drone.stop();
    await refused.getByRole("button", { name: "Try again" }).click();
    await page.locator('[data-testid="terminal-refused"][data-code="no_drone"]').waitFor();
    assert.deepEqual(page.problems, []);
  });
});
