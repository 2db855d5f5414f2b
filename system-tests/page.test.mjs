// The page that people leave open all day: its keys, its list, its prompt box, its turns, what it tells and who can use it.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { chromiumPath, openPage, signIn } from "./lib/browser.mjs";
import { eventually, makeSession, startCodeService, startDrone, startProvider, temporaryFolder } from "./lib/processes.mjs";

const LONG = "[[lorem tokens=600 thinking=0 rate=60]]";

/** Everything that runs, a session with a workspace, and the page that shows it. */
async function everything(t, { session: wanted = {}, ...page } = {}) {
  const provider = await startProvider(t);
  const code = await startCodeService(t);
  const call = await code.signIn();
  const workspace = temporaryFolder(t, "workspace");
  mkdirSync(join(workspace, "src/main"), { recursive: true });
  writeFileSync(join(workspace, "src/main/App.java"), "class App {}\n");
  writeFileSync(join(workspace, "a shop.md"), "# Shop\n");
  await startDrone(t, code, call, workspace);
  const session = await makeSession(call, { baseUrl: provider.openai, whenBusy: "queue", name: "Mend the cart", ...wanted });
  const another = (name) => call("POST", "/sessions", { projectId: session.projectId, providerId: session.providerId, model: "demo", name });
  return { provider, code, call, workspace, session, another, page: await signedIn(t, code, session, page) };
}

async function signedIn(t, code, session, options) {
  const page = await openPage(t, { url: code.url, ...options });
  await signIn(page, code.email, code.password);
  if (session) {
    await page.goto(`${code.url}/sessions/${session.id}`);
    await page.getByTestId("prompt-input").waitFor();
  }
  return page;
}

async function send(page, prompt) {
  await page.getByTestId("prompt-input").fill(prompt);
  await page.getByTestId("prompt-send").click();
}

const ended = (page, status = "finished") =>
  page.getByTestId("turn-status").last().and(page.locator(`[data-status="${status}"]`)).waitFor({ timeout: 60_000 });
const focused = (page) => page.evaluate(() => document.activeElement?.dataset.testid ?? document.activeElement?.tagName);

/** Takes a picture when somebody wants to look. */
async function picture(page, name) {
  if (!process.env.GADGET_TEST_PICTURES) return;
  await page.evaluate(() => Promise.all(document.getAnimations().filter((one) => one.effect.getTiming().iterations === 1).map((one) => one.finished)));
  await page.screenshot({ path: join(process.env.GADGET_TEST_PICTURES, `${name}.png`) });
}

describe("the page", { skip: !chromiumPath && "no Chromium is installed (package 'chromium')" }, () => {
  test("is used by keys alone: find a session, change the colours, stop a turn, see the keys", async (t) => {
    const { another, page } = await everything(t);
    await another("Count the stock");
    const box = page.getByTestId("palette-input");

    await page.keyboard.press("Control+k");
    await box.fill("cou sto");
    assert.equal(await page.getByTestId("palette-row").first().textContent().then((text) => text.startsWith("Count the stock")), true);
    await picture(page, "palette");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Count the stock" }).first().waitFor();
    await eventually("the prompt has the focus", async () => (await focused(page)) === "prompt-input");

    await page.keyboard.press("Control+k");
    await box.fill("colours dark");
    await page.keyboard.press("Enter");
    await page.locator('html[data-theme="dark"]').waitFor();
    await page.getByTestId("palette").waitFor({ state: "detached" });
    await eventually("the focus is back", async () => (await focused(page)) === "prompt-input");

    await page.keyboard.type("?");
    assert.equal(await page.getByTestId("prompt-input").inputValue(), "?", "a letter while somebody types");
    await page.getByTestId("prompt-input").fill("");
    await page.locator("#main").focus();
    await page.keyboard.press("?");
    await page.getByTestId("shortcuts").waitFor();
    await page.keyboard.press("Escape");
    await page.getByTestId("shortcuts").waitFor({ state: "detached" });

    await page.keyboard.press("Alt+p");
    await page.keyboard.type(LONG);
    await page.keyboard.press("Enter");
    await page.getByTestId("block-responding").waitFor();
    await page.keyboard.press("Control+k");
    await box.fill("stop");
    await page.keyboard.press("Enter");
    await ended(page, "cancelled");

    await page.keyboard.press("Alt+b");
    await page.getByTestId("panel").waitFor();
    await page.keyboard.press("Alt+n");
    await page.getByRole("dialog", { name: "New session" }).waitFor();
    await page.keyboard.press("Control+k");
    assert.equal(await page.getByTestId("palette").count(), 0, "nothing opens over a dialog");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Alt+ArrowDown");
    await page.getByRole("heading", { name: "Mend the cart" }).first().waitFor();
    assert.deepEqual(page.problems, []);
  });
});
