// The page that people leave open all day: its keys, its list, its prompt box, its turns, what it tells and who can use it.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { chromiumPath, openPage, picture, signIn, usable } from "./lib/browser.mjs";
import { fromMenu, openedSession, withSession } from "./lib/looking.mjs";
import { eventually, makeSession, runDrone, startCodeService, startDrone, startProvider, temporaryFolder } from "./lib/processes.mjs";

const LONG = "[[lorem tokens=20000 thinking=0 rate=60]]";

/** Everything that runs, a session with a workspace, and the page that shows it. */
async function everything(t, { session: wanted = {}, ...page } = {}) {
  const provider = await startProvider(t);
  const code = await startCodeService(t);
  const call = await code.signIn();
  const workspace = temporaryFolder(t, "workspace");
  mkdirSync(join(workspace, "src/main"), { recursive: true });
  writeFileSync(join(workspace, "src/main/App.java"), "class App {}\n");
  writeFileSync(join(workspace, "a shop.md"), "# Shop\n");
  const drone = await startDrone(t, code, call, workspace);
  const session = await makeSession(call, { baseUrl: provider.openai, whenBusy: "queue", name: "Mend the cart", ...wanted });
  const another = (name) => call("POST", "/sessions", { projectId: session.projectId, providerId: session.providerId, model: "demo", name });
  return { provider, code, call, workspace, drone, session, another, page: await signedIn(t, code, session, page) };
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

describe("the page", { skip: !chromiumPath && "no Chromium is installed (package 'chromium')" }, () => {
  test("is used by keys alone: find a session, change the colours, stop a turn, see the keys", async (t) => {
    const { another, page } = await everything(t);
    await another("Count the stock");
    const box = page.getByTestId("palette-input");

    await page.keyboard.press("Control+k");
    await box.fill("cou sto");
    // The page hears of it a moment after it was made.
    await eventually("the session is found", async () => (await page.getByTestId("palette-row").first().textContent()).startsWith("Count the stock"));
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
    await page.getByTestId("palette-row").filter({ hasText: "Stop" }).first().waitFor();
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

  test("lists sessions as they are: found, renamed, pinned, put away, and marked when they did something unseen", async (t) => {
    const { code, call, another, session, page } = await everything(t);
    const link = (name) => page.getByTestId("session-link").filter({ hasText: name });
    const state = (name, wanted, unread) => page.locator(`[data-testid="session-link"][data-state="${wanted}"][data-unread="${unread}"]`, { hasText: name }).waitFor();
    const names = () => page.getByTestId("session-link").locator("[dir=auto]").allTextContents();
    const long = "Order numbers that nobody reads ".repeat(10).slice(0, 300);
    const stock = await another("Count the stock");
    await another(long);
    await another("\u05e2\u05d2\u05dc\u05d4 cart \u202egnp.exe");
    await link("Count the stock").waitFor();

    await link("Count the stock").focus();
    await page.keyboard.press("F2");
    await page.getByTestId("session-name").fill("Count all");
    await page.keyboard.press("Enter");
    await link("Count all").waitFor();
    await eventually("the row has the focus again", async () => (await focused(page)) === "session-link");
    await page.keyboard.press("F2");
    await page.keyboard.type("not this");
    await page.keyboard.press("Escape");
    await link("Count all").waitFor();
    assert.equal((await call("GET", `/sessions/${stock.id}`)).name, "Count all");

    await page.getByRole("button", { name: "More for Count all" }).click();
    await picture(page, "list-menu");
    await page.getByRole("menuitem", { name: "Pin" }).click();
    await page.getByRole("region", { name: "Pinned" }).getByText("Count all").waitFor();
    assert.equal((await names())[0], "Count all");
    await page.keyboard.press("Control+k");
    await page.getByTestId("palette-input").fill("archive this");
    await page.keyboard.press("Enter");
    await page.getByTestId("archive-toggle").click();
    await page.getByRole("list", { name: "Archive" }).getByText("Mend the cart").waitFor();
    const kept = (await call("GET", "/sessions")).items.map((one) => [one.name, one.pinned, one.archived]);
    assert.deepEqual(kept.filter(([, pinned, archived]) => pinned || archived).sort(), [["Count all", true, false], ["Mend the cart", false, true]]);

    await page.keyboard.press("Alt+s");
    await page.keyboard.type("nobody reads");
    await eventually("only one is left", async () => (await page.getByTestId("session-link").count()) === 1);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => !url.pathname.endsWith(session.id));
    await page.getByTestId("prompt-input").waitFor();
    await page.getByRole("button", { name: "Clear the search" }).click();

    const prompt = (prompt) => call("POST", `/sessions/${stock.id}/turns`, { prompt }, { prefer: "respond-async" });
    await prompt(LONG);
    await state("Count all", "running", false);
    await call("POST", `/turns/${(await call("GET", `/sessions/${stock.id}`)).runningTurnId}/cancel`, {});
    await state("Count all", "idle", true);
    await call("PATCH", `/sessions/${stock.id}`, { approvalPolicy: "ask" });
    await prompt("[[write path=a.txt content=a]]");
    await state("Count all", "waiting", false);
    await picture(page, "list");
    const other = await signedIn(t, code, stock, { width: 360, height: 740, colorScheme: "dark" });
    await other.getByRole("button", { name: "Approve", exact: true }).click();
    await state("Count all", "idle", true);
    await prompt("[[fault 401]]");
    await state("Count all", "failed", true);
    await link("Count all").click();
    await state("Count all", "failed", false);
    await page.reload();
    await state("Count all", "failed", false);

    for (const [one, width] of [[page, 1280], [other, 360]]) {
      await one.goto(`${code.url}/sessions/${(await call("GET", "/sessions")).items.find((item) => item.name === long.trim()).id}`);
      await one.getByTestId("prompt-input").waitFor();
      if (width === 360) await one.getByRole("button", { name: "Open the menu" }).click();
      await link("gnp.exe").first().waitFor();
      assert.equal(await one.evaluate(() => document.documentElement.scrollWidth), width, "nothing is wider than the page");
      await picture(one, `list-long-${width}`);
    }
    assert.deepEqual([...page.problems, ...other.problems], []);
  });

  test("keeps what is typed, brings back what was sent, names files, and takes long texts as files", async (t) => {
    const { call, workspace, session, page } = await everything(t);
    const input = page.getByTestId("prompt-input");
    const value = (wanted) => eventually(`the box says ${wanted}`, async () => (await input.inputValue()) === wanted);
    await input.fill("half a thought");
    await page.reload();
    await value("half a thought");

    await send(page, "[[plain]] one");
    await ended(page);
    await send(page, "[[plain]] two");
    await eventually("two turns have ended", async () => (await call("GET", `/sessions/${session.id}`)).turns.filter((turn) => turn.status === "finished").length === 2);
    await input.focus();
    await page.keyboard.press("ArrowUp");
    await value("[[plain]] two");
    await page.keyboard.press("ArrowUp");
    await value("[[plain]] one");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await value("");
    await page.keyboard.type("typed");
    await page.keyboard.press("ArrowUp");
    await value("typed");

    await input.fill("");
    await page.keyboard.type("Look at @sr");
    await page.getByTestId("mentions").getByRole("option").first().waitFor();
    await picture(page, "mention");
    await page.keyboard.press("Tab");
    await value("Look at @src/");
    await page.getByTestId("mentions").getByText("main").waitFor();
    await page.keyboard.press("Enter");
    await value("Look at @src/main/");
    await page.getByTestId("mentions").getByText("App.java").waitFor();
    await page.keyboard.press("Enter");
    await value("Look at @src/main/App.java ");
    await page.keyboard.type("and @shop");
    await page.getByTestId("mentions").getByText("a shop.md").click();
    await value('Look at @src/main/App.java and @"a shop.md" ');
    await page.keyboard.type("@nothing.like.it");
    await page.getByText("No file is called so.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("No file is called so.").waitFor({ state: "detached" });

    const long = `begin ${"0123456789\n".repeat(2_000)}end`;
    const paste = () => input.evaluate((box, text) => {
      box.focus();
      const data = new DataTransfer();
      data.setData("text/plain", text);
      if (box.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }))) document.execCommand("insertText", false, text);
    }, long);
    await input.fill("Why: ");
    await paste();
    await picture(page, "paste");
    await page.getByRole("button", { name: "Attach as a file" }).click();
    await eventually("the file's name is in the prompt", async () => /^Why: @pasted-\d{8}-\d{6}\.txt $/.test(await input.inputValue()));
    const name = /pasted-\S+/.exec(await input.inputValue())[0];
    assert.equal(readFileSync(join(workspace, name), "utf8"), long);
    await eventually("the workspace is free again", async () => (await call("GET", `/sessions/${session.id}/workspace`)).mode === "idle");

    await send(page, LONG);
    await page.locator('[data-testid="workspace-mode"][data-mode="agent"]').waitFor();
    await paste();
    await page.getByText("They stay in the prompt").waitFor();
    await page.getByRole("button", { name: "Keep as text" }).click();
    await value(long);
    await input.fill("");
    assert.deepEqual(page.problems, []);
  });

  test("puts prompts that wait in another order, and begins one at once", async (t) => {
    const { call, session, page } = await everything(t);
    const waiting = page.getByTestId("waiting-prompts").locator("li");
    const order = (wanted) => eventually(`they wait as ${wanted}`, async () => (await waiting.locator("span[dir]").allTextContents()).map((text) => text.split(" ")[1]).join(" ") === wanted);
    await send(page, LONG);
    await page.getByTestId("stop-turn").waitFor();
    for (const [index, name] of ["two", "three", "four"].entries()) {
      await send(page, `[[plain]] ${name}`);
      await eventually(`${name} waits`, async () => (await waiting.count()) === index + 1);
    }
    await order("two three four");
    await waiting.nth(2).getByRole("button", { name: "Move this prompt up" }).click();
    await order("two four three");
    await waiting.nth(0).getByRole("button", { name: "Move this prompt down" }).click();
    await order("four two three");
    await picture(page, "waiting");
    await page.setViewportSize({ width: 360, height: 740 });
    await picture(page, "waiting-360");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);

    await waiting.nth(2).getByRole("button", { name: "Stop the turn and send this prompt" }).click();
    await eventually("all have ended", async () => (await call("GET", `/sessions/${session.id}`)).turns.every((turn) => turn.finishedAt));
    const { turns } = await call("GET", `/sessions/${session.id}`);
    assert.deepEqual(turns.map((turn) => `${turn.prompt.split(" ").at(-1)} ${turn.status}`), ["rate=60]] cancelled", "three finished", "four finished", "two finished"]);
    const ends = turns.map((turn) => Date.parse(turn.finishedAt));
    assert.deepEqual(ends, ends.toSorted((one, other) => one - other));
    assert.deepEqual(page.problems, []);
  });

  test("copies, repeats and changes what was said, and hands a session out as a file", async (t) => {
    const { call, session, page } = await everything(t, { session: { reasoningEffort: "medium" } });
    const prompts = async () => (await call("GET", `/sessions/${session.id}`)).turns.map((turn) => turn.prompt);
    const turnsEnded = (count) => eventually(`${count} turns have ended`, async () => {
      const { turns } = await call("GET", `/sessions/${session.id}`);
      return turns.length === count && turns.every((turn) => turn.status === "finished");
    });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await send(page, "[[lorem tokens=400 thinking=60 rate=40]]");
    await page.getByTestId("turn-rate").filter({ hasText: "≈" }).waitFor();
    await turnsEnded(1);
    await ended(page);
    assert.match(await page.getByTestId("mode-times").textContent(), /thinking \S+ m?s · responding \S+ m?s/);
    assert.match(await page.getByTestId("turn-rate").textContent(), /^\d+ tok\/s$/);
    await picture(page, "turn-footer");
    await page.getByRole("button", { name: "Copy answer" }).click();
    const said = (await call("GET", `/sessions/${session.id}`)).turns[0].blocks.find((block) => block.mode === "responding").content;
    await eventually("it is in the clipboard", async () => (await page.evaluate(() => navigator.clipboard.readText())) === said);

    await page.getByRole("button", { name: "Retry" }).click();
    await turnsEnded(2);
    // The session refuses prompts while its drone works: the page and the drone have to be done with the second, too.
    await eventually("both are on the page", async () => (await page.getByTestId("turn-status").count()) === 2);
    await ended(page);
    await eventually("the drone is free", async () => (await call("GET", "/drones")).items[0].status === "available");
    const [first, second] = await prompts();
    assert.equal(second, first);
    await page.getByText(first, { exact: true }).first().hover();
    await page.getByRole("button", { name: "Edit" }).first().click();
    await page.getByTestId("edit-prompt").fill("[[plain]] changed");
    await page.getByRole("button", { name: "Send as a new turn" }).click();
    await turnsEnded(3);
    assert.deepEqual(await prompts(), [first, first, "[[plain]] changed"]);

    const exported = async (words) => {
      await page.keyboard.press("Control+k");
      await page.getByTestId("palette-input").fill(words);
      const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
      // Nothing opens over the palette while it is still there.
      await page.getByTestId("palette").waitFor({ state: "detached" });
      return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
    };
    const markdown = await exported("export markdown");
    assert.equal(markdown.name, "Mend the cart.md");
    assert.match(markdown.text, /^# Mend the cart\n[\s\S]*> \[\[plain\]\] changed\n[\s\S]*A fixed answer with \*\*bold\*\*/);
    const json = await exported("export json");
    assert.equal(json.name, "Mend the cart.json");
    assert.deepEqual(JSON.parse(json.text).session.turns, (await call("GET", `/sessions/${session.id}`)).turns);
    assert.deepEqual(page.problems.filter((one) => !one.startsWith("request to blob:")), []);
  });

  test("goes on in a branch from before an earlier prompt, and leaves the session as it was", async (t) => {
    const { call, code, session, page } = await everything(t);
    const turnsOf = async (id) => (await call("GET", `/sessions/${id}`)).turns;
    const prompts = async (id) => (await turnsOf(id)).map((turn) => turn.prompt);
    const edit = async (nth, words) => {
      await page.locator("#main article").nth(nth).hover();
      await page.getByRole("button", { name: "Edit" }).nth(nth).click();
      await page.getByTestId("edit-prompt").fill(words);
    };
    const arrived = async () => {
      await page.waitForURL((url) => !url.href.includes(session.id));
      await page.getByRole("heading", { name: "Mend the cart (branch)" }).first().waitFor();
      return page.url().split("/").at(-1);
    };
    const said = ["[[plain]] one", "[[write path=stock.txt content=two]]", "[[reason]] three"];
    for (const [at, prompt] of said.entries()) {
      await send(page, prompt);
      await page.getByTestId("turn-status").nth(at).and(page.locator('[data-status="finished"]')).waitFor({ timeout: 60_000 });
    }
    const before = await turnsOf(session.id);
    assert.equal(await page.getByTestId("turn-files").count(), 1);

    await edit(1, "[[lorem tokens=120 rate=40]] two, in other words");
    assert.deepEqual(await usable(page, "turn-edit"), []);
    await page.keyboard.press("Enter");
    const branch = await arrived();
    await page.getByText("A fixed answer with").waitFor();
    await page.getByTestId("stop-turn").waitFor();
    await page.getByTestId("block-responding").nth(1).filter({ hasText: "~5~" }).waitFor();
    await picture(page, "branch-streams");
    await ended(page);
    assert.deepEqual(await prompts(branch), [said[0], "[[lorem tokens=120 rate=40]] two, in other words"]);
    assert.equal(await page.getByTestId("prompt-input").inputValue(), "");

    await page.goto(`${code.url}/sessions/${session.id}`);
    await page.getByTestId("turn-status").nth(2).waitFor();
    assert.equal(await page.getByTestId("edit-prompt").count(), 0, "the words are in the branch");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 360, height: 740 });
    await edit(2, "[[plain]] three, in other words");
    assert.deepEqual(await usable(page, "turn-edit-360"), []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    await page.getByRole("button", { name: "Send in a branch" }).click();
    const another = await arrived();
    await eventually("all three turns are there", async () => (await page.getByTestId("turn-status").count()) === 3);
    await ended(page);
    assert.deepEqual(await prompts(another), [said[0], said[1], "[[plain]] three, in other words"]);
    assert.equal(await page.getByTestId("turn-files").count(), 0, "the copy of a turn offers no way back");
    assert.deepEqual(await turnsOf(session.id), before);
    assert.deepEqual(page.problems, []);
  });

  test("follows what comes while somebody is at its end, and leaves alone who has scrolled away", async (t) => {
    const { page } = await everything(t);
    const last = () => page.getByTestId("block-responding").last().evaluate((block) => block.getBoundingClientRect().bottom - innerHeight);
    const top = () => page.locator("#main article").first().evaluate((turn) => turn.getBoundingClientRect().top);
    await send(page, LONG);
    await eventually("it is longer than the page", async () => (await top()) < -200);
    assert.ok((await last()) < 0, "the end is in sight");
    assert.equal(await page.getByRole("button", { name: "Jump to latest" }).count(), 0);

    await page.locator("#main article").first().hover();
    await page.mouse.wheel(0, -10_000);
    await page.getByRole("button", { name: "Jump to latest" }).waitFor();
    const place = await top();
    const height = () => page.locator("#main article").first().evaluate((turn) => turn.offsetHeight);
    const before = await height();
    await eventually("more has come", async () => (await height()) > before + 100);
    assert.equal(await top(), place, "nothing moved");
    await page.getByRole("button", { name: "Jump to latest" }).click();
    await eventually("the end is in sight again", async () => (await last()) < 0);
    await page.getByRole("button", { name: "Jump to latest" }).waitFor({ state: "detached" });
    const shown = await height();
    await eventually("it is followed again", async () => (await height()) > shown + 60 && (await last()) < 0);

    // Much higher at once, as on a telephone that is turned.
    await page.getByTestId("stop-turn").click();
    await ended(page, "cancelled");
    await send(page, `[[plain]] ${"Say it once more. ".repeat(200)}`);
    await ended(page);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await eventually(`the end is in sight at ${width} px`, async () => (await page.getByTestId("block-responding").count()) > 0 && (await last()) < 0);
    }
    assert.deepEqual(page.problems, []);
  });

  test("shows the end of what a command says while it runs, and leaves alone who reads further up", async (t) => {
    const it = await withSession(t);
    const page = await openedSession(t, it);
    const command = "seq 1 200; while test ! -e go; do sleep 0.1; done; seq 201 400; while test ! -e stop; do sleep 0.1; done";
    const { turnId } = await it.submit(`[[run command="${command}"]]`);
    const call = page.locator('[data-tool-name="run_command"][data-state="running"]');
    await call.locator("button[aria-expanded]").click({ timeout: 60_000 });
    const output = page.locator('[data-tool-name="run_command"] pre').last();
    const says = (line) => eventually(`it says ${line}`, async () => (await output.textContent()).trim().endsWith(`\n${line}`), { seconds: 60 });
    const fromEnd = () => output.evaluate((box) => Math.abs(box.scrollTop));
    await says(200);
    assert.ok(await output.evaluate((box) => box.scrollHeight > 2 * box.clientHeight), "it is higher than its box");
    assert.equal(await fromEnd(), 0);

    await output.hover();
    await page.mouse.wheel(0, -400);
    await eventually("it is scrolled away", async () => (await fromEnd()) > 100);
    const away = await fromEnd();
    writeFileSync(join(it.workspace, "go"), "");
    await says(400);
    assert.ok((await fromEnd()) > away + 1_000, "the lines that were looked at stay");
    await output.evaluate((box) => {
      box.scrollTop = 0;
    });
    writeFileSync(join(it.workspace, "stop"), "");
    await it.ended(turnId);
    await page.locator('[data-tool-name="run_command"][data-state="done"]').waitFor();
    assert.equal(await fromEnd(), 0, "its end is shown also afterwards");
    assert.deepEqual(page.problems, []);
  });

  test("keeps everything in sight where there is little room", async (t) => {
    const { code, call, page } = await everything(t, { width: 1400, height: 900 });
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    const inside = async (locator) => {
      const { x, width } = await locator.boundingBox();
      return x >= 0 && x + width <= (await page.evaluate(() => innerWidth));
    };
    await page.getByTestId("panel-toggle").click();
    await page.getByRole("separator").focus();
    for (let step = 0; step < 20; step += 1) await page.keyboard.press("ArrowLeft");
    for (const width of [1_100, 901, 900]) {
      await page.setViewportSize({ width, height: 900 });
      assert.ok((await wide()) <= 0, `nothing stands out at ${width} px`);
      assert.ok(await inside(page.getByRole("button", { name: "Close the panel" })), `the panel is there at ${width} px`);
      assert.ok((await page.getByTestId("prompt-input").boundingBox()).width > 150, `the prompt has room at ${width} px`);
    }
    await page.getByTestId("panel-toggle").click();

    await page.setViewportSize({ width: 360, height: 740 });
    await page.keyboard.press("Control+f");
    await page.getByTestId("find").waitFor();
    assert.ok(await inside(page.getByTestId("find")), "the search");
    await page.keyboard.press("Escape");
    await page.goto(`${code.url}/settings/system`);
    await eventually("the section's name is in sight", () => inside(page.getByRole("link", { name: "System", exact: true })));
    await page.goto(`${code.url}/settings/providers`);
    const address = page.getByText((await call("GET", "/providers")).items[0].baseUrl);
    const test = page.getByRole("button", { name: "Test", exact: true });
    await address.waitFor();
    const [words, button] = [await address.boundingBox(), await test.boundingBox()];
    assert.ok(words.width > 150 && words.y + words.height <= button.y, "the buttons stand below the words");
    assert.ok((await wide()) <= 0);
    assert.deepEqual(page.problems, []);
  });

  for (const [colorScheme, width, room] of [["light", 1400, 8_192], ["dark", 360, 2_400]]) {
    test(`shows how full the context is, what is used, and changes the model while a turn runs, ${colorScheme}, ${width} px`, async (t) => {
      const { call, session, workspace, page } = await everything(t, { colorScheme, width });
      const found = [];
      await page.route("**/profiles", (route) =>
        route.fulfill({ json: { items: [{ model: "demo", profile: { examinedAt: new Date().toISOString(), contextTokens: room } }] } }));
      await page.reload();
      await send(page, `[[script rate=30]] ${JSON.stringify([[{ tool: "list_files", arguments: {} }], "Word by word. ".repeat(400)])}`);

      await page.keyboard.press("Control+k");
      await page.getByTestId("palette-input").fill("show session");
      await page.keyboard.press("Enter");
      const panel = page.getByTestId("session-panel");
      const meter = panel.getByRole("meter", { name: "Context in use" });
      await meter.waitFor({ timeout: 60_000 });
      const { runningTurnId } = await call("GET", `/sessions/${session.id}`);
      assert.ok(runningTurnId, "the first round is told while the second one streams");
      const { usage } = await call("GET", `/turns/${runningTurnId}`);
      assert.equal(Number(await meter.getAttribute("aria-valuenow")), usage.contextTokens);
      assert.ok(usage.contextTokens > 0 && usage.contextTokens <= usage.inputTokens + usage.outputTokens, JSON.stringify(usage));
      assert.equal(await meter.getAttribute("aria-valuemax"), String(room));
      assert.equal(await panel.getByText("Nearly full.").count(), usage.contextTokens > 0.8 * room ? 1 : 0);
      await panel.getByText(workspace).waitFor();
      await panel.getByText("Live, by WebSocket").waitFor();
      found.push(...(await usable(page, `session tab ${colorScheme} ${width}`)));

      await panel.getByRole("radio", { name: "High" }).check({ force: true });
      await panel.getByText("Saved.").waitFor();
      await panel.getByLabel("Model", { exact: true }).fill("another");
      await panel.getByText("Not saved yet: press Enter.").waitFor();
      await page.keyboard.press("Enter");
      await panel.getByText("Saved.").waitFor();
      const kept = await call("GET", `/sessions/${session.id}`);
      assert.deepEqual([kept.reasoningEffort, kept.model], ["high", "another"]);
      await panel.getByText("How many this model can hold is not known.").waitFor();
      await panel.getByText("Where it works").scrollIntoViewIfNeeded();
      found.push(...(await usable(page, `session tab end ${colorScheme} ${width}`)));

      await panel.getByRole("button", { name: "All settings …" }).click();
      await page.getByRole("dialog", { name: "Session" }).waitFor();
      await eventually("the focus is at the limits", () => page.evaluate(() => document.activeElement.closest("[data-setting]")?.dataset.setting === "limits"));
      await page.keyboard.press("Escape");
      await panel.getByRole("button", { name: "Figures of this session" }).click();
      await page.getByTestId("session-figures").waitFor();
      await page.keyboard.press("Escape");
      await call("POST", `/turns/${runningTurnId}/cancel`);

      // As narrow as it gets there is room for each tab, and each keeps its name.
      if (width > 900) {
        await page.getByRole("separator").focus();
        for (let step = 0; step < 20; step += 1) await page.keyboard.press("ArrowRight");
        await eventually("it is as narrow as it gets", async () => (await page.getByTestId("panel").boundingBox()).width === 300);
      }
      const close = await page.getByRole("button", { name: "Close the panel" }).boundingBox();
      for (const name of ["Files", "Changes", "Terminal", "Session"]) {
        const tab = page.getByRole("tab", { name, exact: true });
        await tab.click();
        await page.getByRole("tabpanel", { name, exact: true }).waitFor();
        for (const one of await page.getByRole("tab").all()) {
          const { x, width: wide } = await one.boundingBox();
          assert.ok(x + wide <= close.x, `no tab is below the button beside them while ${name} is shown`);
        }
      }
      await page.keyboard.press("ArrowRight");
      assert.equal(await focused(page), "panel-tab-files", "the arrows go round");
      await page.keyboard.press("ArrowLeft");
      await panel.waitFor();
      found.push(...(await usable(page, `session tab narrow ${colorScheme} ${width}`)));
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
      assert.deepEqual(found, []);
      assert.deepEqual(page.problems, []);
    });
  }

  test("says at once that the drone is gone, then that its turn is interrupted, and shows how it goes on", async (t) => {
    const { code, call, workspace, drone, page } = await everything(t);
    await send(page, "[[lorem tokens=1500 thinking=0 rate=60]]");
    const answer = page.getByTestId("block-responding").last();
    await eventually("it answers", async () => ((await answer.textContent()) ?? "").length > 100);
    const killed = Date.now();
    drone.kill();
    const status = page.getByTestId("turn-status").last().getByText(/Waiting for the drone|Interrupted/);
    await status.waitFor();
    const first = await status.textContent();
    // It is interrupted after three seconds: who looks later than that never sees it wait.
    if (Date.now() - killed < 2_500) assert.match(first, /Waiting for the drone/);
    await ended(page, "interrupted");
    await page.getByText("The drone's connection was lost").waitFor();
    await picture(page, "turn-interrupted");
    await runDrone(t, code, call, workspace);
    await ended(page);
    await eventually("all of it is there", async () => (await answer.textContent())?.trim().endsWith("~1500~"));
    assert.deepEqual(page.problems, []);
  });

  test("takes away what a person emptied in a form", async (t) => {
    const code = await startCodeService(t);
    const call = await code.signIn();
    const { id } = await call("POST", "/providers", { name: "Mine", type: "openai", baseUrl: "http://127.0.0.1:9/v1", defaultModel: "old", apiKey: "k-1" });
    const project = await call("POST", "/projects", { name: "Shop", gitUrl: "https://example.org/shop.git" });
    const page = await signedIn(t, code, null);
    const changed = async (section, change) => {
      await page.goto(`${code.url}/settings/${section}`);
      await page.getByRole("button", { name: "Edit" }).click();
      await eventually("the form has the focus", () => page.getByLabel("Name").evaluate((name) => name === document.activeElement));
      await change();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    await changed("providers", () => page.getByLabel("Default model").fill(""));
    const modelless = await call("GET", `/providers/${id}`);
    assert.deepEqual([modelless.defaultModel, modelless.hasApiKey], [undefined, true]);
    await changed("providers", async () => {
      await page.getByLabel("Ask for whole answers").check();
      await page.getByLabel("Remove the stored key").check();
      assert.ok(await page.getByLabel("API key").isDisabled(), "no key can be typed meanwhile");
    });
    const keyless = await call("GET", `/providers/${id}`);
    assert.deepEqual([keyless.hasApiKey, keyless.disableStreaming], [false, true]);
    await changed("projects", () => page.getByLabel("Git address").fill(""));
    assert.equal((await call("GET", `/projects/${project.id}`)).gitUrl, undefined);
    // The start page asks the provider for its models, and there is none.
    assert.deepEqual(page.problems.filter((one) => !/50\d/.test(one)), []);
  });

  test("opens a long session at its end, keeps the page small, and loses nothing on the way back", async (t) => {
    const { code, call, session, page } = await everything(t, { session: { limits: { maxRounds: 500 } } });
    const turns = 40;
    for (let turn = 1; turn <= turns; turn += 1) {
      const scene = turn === 2 ? "[[rounds count=120]]" : "[[plain]]";
      await call("POST", `/sessions/${session.id}/turns`, { prompt: `Prompt ${turn}. ${scene}` });
    }
    const box = page.locator("#main article").last();
    const seen = new Set();
    let most = 0;
    const look = async () => {
      for (const words of await page.locator("#main article").allTextContents()) seen.add(/^Prompt \d+\./.exec(words)?.[0]);
      most = Math.max(most, await page.evaluate(() => document.getElementsByTagName("*").length));
    };
    const inSight = (words) => page.locator("#main article", { hasText: words }).first().evaluateAll(([turn]) => !!turn && turn.getBoundingClientRect().bottom > 0 && turn.getBoundingClientRect().top < innerHeight);

    await page.goto(`${code.url}/sessions/${session.id}`);
    await page.getByText(`Prompt ${turns}.`).first().waitFor();
    await eventually("the end is in sight", () => inSight(`Prompt ${turns}.`));
    assert.equal(await page.getByText("Prompt 1.").count(), 0);
    await box.hover();
    await eventually("the beginning is there", async () => {
      await look();
      await page.mouse.wheel(0, -900);
      await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
      return (await page.getByText("Prompt 1.").count()) > 0;
    }, { seconds: 120, every: 30 });
    await look();
    assert.deepEqual([...seen].filter(Boolean).length, turns, "every prompt came by");
    assert.ok(most < 3_000, `${most} elements`);

    const call60 = page.locator('[data-testid="block-tool"][data-block-index="60"]');
    const wheelTo = (locator, by) => eventually("it is on the page", async () => (await locator.count()) > 0 || page.mouse.wheel(0, by).then(() => false), { seconds: 60, every: 60 });
    await wheelTo(call60, 700);
    await call60.locator("button[aria-expanded]").click();
    await call60.getByText("Result, as the model reads it").waitFor();
    const focusedBlock = () => page.evaluate(() => document.activeElement.closest("[data-block-index]")?.dataset.blockIndex);
    assert.equal(await focusedBlock(), "60");
    await eventually("the end is in sight", async () => {
      await page.mouse.wheel(0, 4_000);
      return inSight(`Prompt ${turns}.`);
    });
    assert.equal(await focusedBlock(), "60", "the focus is where it was, out of sight");
    await page.getByTestId("prompt-input").focus();
    await call60.waitFor({ state: "detached" });

    await page.keyboard.press("Control+f");
    await page.getByTestId("find").fill("prompt 2.");
    await page.keyboard.press("Enter");
    await eventually("what was found is in sight", () => inSight("Prompt 2."));
    await page.getByText("1 of 1", { exact: true }).waitFor();
    await picture(page, "find");
    await page.keyboard.press("Escape");
    await page.getByTestId("find").waitFor({ state: "detached" });
    await wheelTo(call60, 700);
    await call60.getByText("Result, as the model reads it").waitFor();

    await page.reload();
    await page.getByText(`Prompt ${turns}.`).first().waitFor();
    await page.keyboard.press("Control+f");
    await page.getByTestId("find").fill("Prompt 1.");
    await page.keyboard.press("Enter");
    await eventually("it was read, and is in sight", () => inSight("Prompt 1."), { seconds: 60 });
    await page.getByRole("button", { name: "Jump to latest" }).click();
    await send(page, "One more. [[plain]]");
    await eventually("the new end is in sight", () => inSight("One more."));
    await ended(page);
    assert.deepEqual(page.problems, []);
  });

  test("S2-11: a model's question waits under every policy, and is answered with a choice, in words or not at all", async (t) => {
    const { page, call, session } = await everything(t, { session: { approvalPolicy: "auto", name: "Asks" } });
    const question = "Which database should the service use?\nBoth are on this machine.";
    const ask = { tool: "ask_person", arguments: { question, choices: "PostgreSQL\nSQLite", answer: "mine" } };
    const script = (words) => `[[script]] ${JSON.stringify([[ask], words])}`;
    const asks = page.locator('[data-tool-name="ask_person"][data-state="awaiting_approval"]');
    const answered = page.locator('[data-tool-name="ask_person"][data-state="done"]');

    await send(page, script("First."));
    await asks.getByText("Both are on this machine.").last().waitFor();
    await picture(page, "question-light");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 360, height: 740 });
    await picture(page, "question-dark-narrow");
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1280, height: 800 });
    assert.equal(await asks.getByRole("button", { name: "Approve" }).count(), 0);
    await page.reload();
    await asks.getByRole("button", { name: "SQLite" }).focus();
    await page.keyboard.press("Enter");
    await ended(page);
    assert.match(await answered.first().textContent(), /The person answered: SQLite/);
    await picture(page, "question-answered");

    await call("PATCH", `/sessions/${session.id}`, { approvalPolicy: "read_only" });
    await send(page, script("Second."));
    await asks.getByLabel("Or answer in your own words").fill("Neither: files");
    await page.keyboard.press("Enter");
    await ended(page);
    assert.match(await answered.nth(1).textContent(), /The person answered: Neither: files/);

    await send(page, script("Third."));
    await asks.getByRole("button", { name: "No answer" }).click();
    await ended(page);
    assert.match(await page.locator('[data-tool-name="ask_person"][data-state="denied"]').textContent(), /The person gave no answer/);
    for (const block of await answered.all()) {
      await block.getByRole("button", { expanded: false }).click();
      assert.doesNotMatch(await block.textContent(), /mine/, "what the model wrote as answer is nowhere");
    }
    assert.deepEqual(page.problems, []);
  });

  test("writes out what is not seen, keeps long names in their place, and finds a session's settings by their names", async (t) => {
    const name = `\u202eexe.${"long name ".repeat(28)}x`.slice(0, 300);
    const { page } = await everything(t, { session: { approvalPolicy: "ask", name } });
    const command = "echo ok \u202e# harmless\u2066";
    await send(page, `[[script]] ${JSON.stringify([[{ tool: "run_command", arguments: { command } }], [{ tool: "write_file", arguments: { path: "a\u202etxt.md", content: "one\u200b two\n" } }], "done"])}`);
    const asks = page.locator('[data-tool-name="run_command"][data-state="awaiting_approval"]');
    await asks.waitFor();
    assert.deepEqual([...new Set(await asks.getByTestId("unseen").allTextContents())].sort(), ["U+202E", "U+2066"]);
    assert.equal((await asks.textContent()).includes("\u202e"), false);
    await picture(page, "unseen-approval");
    await asks.getByRole("button", { name: "Change it …" }).click();
    await asks.getByText("It holds characters that are not seen: U+202E, U+2066.").waitFor();
    await asks.getByRole("button", { name: "Back", exact: true }).click();
    await asks.getByRole("button", { name: "Approve", exact: true }).click();
    const writes = page.locator('[data-tool-name="write_file"][data-state="awaiting_approval"]');
    await writes.waitFor();
    await writes.locator('[data-kind="added"]').getByTestId("unseen").filter({ hasText: "U+200B" }).waitFor();
    assert.ok((await writes.getByTestId("unseen").allTextContents()).includes("U+202E"), "the path");
    await writes.getByRole("button", { name: "Approve", exact: true }).click();
    await ended(page);

    const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      assert.ok((await wide()) <= 0, `nothing stands out at ${width} px`);
      assert.equal(await page.locator("h1 bdi", { hasText: "long name" }).count(), 1);
      await picture(page, `long-name-${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });

    for (const [words, setting] of [["model", "model"], ["limits of a turn", "limits"], ["reasoning effort", "effort"], ["rules", "rules"]]) {
      await page.keyboard.press("Control+k");
      await page.getByTestId("palette-input").fill(`This session: ${words}`);
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Session" });
      await dialog.waitFor();
      await eventually(`the focus is on ${setting}`, () => page.evaluate((at) => !!document.activeElement.closest(`[data-setting="${at}"]`), setting));
      await picture(page, `settings-${setting}`);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
    assert.deepEqual(page.problems, []);
  });

  test("tells a hidden page's person what ended or asks, and nothing that nobody wanted", async (t) => {
    const { code, call, another, session, page } = await everything(t, { session: { approvalPolicy: "ask" } });
    await page.context().grantPermissions(["notifications"]);
    await page.addInitScript(() => {
      window.told = [];
      window.Notification = class extends window.Notification {
        constructor(title, options) {
          super(title, options);
          window.told.push(`${title}: ${options.body}`);
        }
      };
      let hidden = false;
      Object.defineProperty(document, "hidden", { get: () => hidden });
      window.hide = (now) => {
        hidden = now;
        document.dispatchEvent(new Event("visibilitychange"));
      };
    });
    await page.goto(`${code.url}/settings/browser`);
    const told = () => page.evaluate(() => window.told);
    const run = async (id, prompt) => (await call("POST", `/sessions/${id}/turns`, { prompt }, { prefer: "respond-async" })).turnId;
    const until = (id, status) => eventually(`it is ${status}`, async () => (await call("GET", "/sessions")).items.find((one) => one.id === id).turnStatus === status);
    const listed = (name, state) => page.locator(`[data-testid="session-link"][data-state="${state}"]`, { hasText: name }).waitFor();
    const stock = await another("Count the stock");

    await page.evaluate(() => window.hide(true));
    await run(stock.id, "[[plain]]");
    await until(stock.id, "finished");
    await page.locator('[data-testid="session-link"][data-unread="true"]', { hasText: "Count the stock" }).waitFor();
    assert.deepEqual(await told(), [], "nobody asked to be told");

    await page.evaluate(() => window.hide(false));
    await page.getByTestId("notify").click();
    await eventually("it is on", () => page.getByTestId("notify").isChecked());
    await picture(page, "settings-browser");
    await run(stock.id, "[[plain]]");
    await listed("Count the stock", "running").catch(() => undefined);
    await until(stock.id, "finished");
    await listed("Count the stock", "idle");
    assert.deepEqual(await told(), [], "who looks at the page sees it");

    await page.evaluate(() => window.hide(true));
    await run(session.id, "[[write path=a.txt content=a]]");
    await until(session.id, "awaiting_approval");
    await eventually("it asks", async () => (await told()).length === 1);
    await call("POST", `/turns/${(await call("GET", `/sessions/${session.id}`)).runningTurnId}/cancel`, {});
    await until(session.id, "cancelled");
    await listed("Mend the cart", "idle");
    await run(stock.id, "[[fault 401]]");
    await eventually("it failed", async () => (await told()).length === 2);
    await run(stock.id, "[[lorem tokens=20 thinking=0 rate=20]]");
    await eventually("it ended", async () => (await told()).length === 3);
    assert.deepEqual(await told(), [
      "Mend the cart: It waits for you.",
      "Count the stock: The turn failed.",
      "Count the stock: The turn has ended.",
    ]);
    assert.deepEqual(page.problems, []);
  });

  test("leads from nothing to the first answer, each step checked as it is done", async (t) => {
    const provider = await startProvider(t);
    const code = await startCodeService(t);
    const call = await code.signIn();
    const page = await signedIn(t, code, null);
    const step = (id, state) => page.locator(`[data-testid="step"][data-step="${id}"][data-state="${state}"]`);
    for (const id of ["drone", "provider", "project", "prompt"]) await step(id, "open").waitFor();
    await picture(page, "first-run");

    await step("provider", "open").getByRole("button", { name: "Add" }).click();
    await page.getByRole("button", { name: "Add a provider" }).click();
    await page.getByLabel("Name").fill("Mine");
    await page.getByLabel("Base URL").fill("http://127.0.0.1:9/v1");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("http://127.0.0.1:9/v1").waitFor();
    await page.getByRole("link", { name: "Gadget" }).click();
    await step("provider", "failing").waitFor();
    await picture(page, "first-run-failing");
    const mine = (await call("GET", "/providers")).items[0];
    await call("PATCH", `/providers/${mine.id}`, { baseUrl: provider.openai, defaultModel: "demo" });
    await page.reload();
    await step("provider", "done").waitFor();

    await step("drone", "open").getByRole("button", { name: "Connect" }).click();
    await page.getByRole("button", { name: "Connect a drone" }).waitFor();
    await page.goBack();
    const drone = await startDrone(t, code, call, temporaryFolder(t, "workspace"));
    await step("drone", "done").waitFor();
    await call("POST", "/projects", { name: "Shop" });
    await page.reload();
    await step("project", "done").waitFor();

    await step("prompt", "open").getByRole("button", { name: "New session" }).click();
    await page.getByTestId("create-session").click();
    await page.getByTestId("prompt-input").waitFor();
    await page.getByRole("link", { name: "Gadget" }).click();
    await step("prompt", "open").getByRole("button", { name: "Open it" }).click();
    await send(page, "[[plain]] hello");
    await ended(page);
    await page.getByRole("link", { name: "Gadget" }).click();
    // The model gives it its name, perhaps a little after the end of the turn.
    await eventually("it has its name", async () => (await call("GET", "/sessions")).items[0].name === "hello");
    await page.getByRole("region", { name: "Go on with" }).getByText("hello", { exact: true }).waitFor();
    assert.equal(await page.getByTestId("step").count(), 0);

    await drone.stop();
    await page.getByRole("region", { name: "Before the next prompt" }).locator('[data-step="drone"][data-state="failing"]').waitFor({ timeout: 60_000 });
    await picture(page, "home-drone-away");
    assert.deepEqual(page.problems.filter((one) => !/50\d/.test(one)), []);
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`can be used by everybody, ${colorScheme}`, async (t) => {
      const { code, call, another, session, page } = await everything(t, { colorScheme, session: { approvalPolicy: "ask" } });
      const found = [];
      const look = async (where, one = page) => found.push(...(await usable(one, `${where} ${colorScheme}`)));
      const stock = await another("Count the stock");
      await call("PATCH", `/sessions/${stock.id}`, { pinned: true });
      const stranger = await openPage(t, { url: code.url, colorScheme });
      await stranger.getByTestId("login-email").waitFor();
      await look("sign-in", stranger);

      const plan = "# A plan\n\n1. `code` and [a link](https://example.org)\n\n   ```js\n   const items = 42; // a line that is as long as one in a list may be, and longer than the narrowest page\n   ```\n2. then\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```java\n// the cart\nfinal int items = 42;\n```\n";
      await send(page, `[[script]] ${JSON.stringify([{ thinking: "**Hm.** There is\n\n- `cart.js`\n- nothing else", text: plan }])}`);
      await ended(page);
      await page.getByTestId("block-thinking").getByRole("button").click();
      await page.getByTestId("block-thinking").getByRole("listitem").first().waitFor();
      await page.locator("li figure .tok-keyword").waitFor();
      await page.locator("pre .tok-keyword").nth(1).waitFor();
      await page.locator("#main").focus();
      await look("session");
      await page.getByTestId("panel-toggle").click();
      await page.getByTestId("tree-item").first().waitFor();
      await look("panel");
      await page.getByTestId("panel-tab-session").click();
      await page.getByTestId("session-usage").waitFor();
      await look("panel session");
      await page.getByTestId("panel-toggle").click();
      await send(page, "[[write path=a.txt content=a]]");
      await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
      await look("approval");
      await page.emulateMedia({ reducedMotion: "reduce" });
      const moving = await page.evaluate(() => document.getAnimations().filter((one) => one.playState === "running").length);
      assert.equal(moving, 0, "who wants no motion sees none");
      await page.emulateMedia({ reducedMotion: "no-preference" });
      await page.keyboard.press("Control+k");
      await page.getByTestId("palette-row").first().waitFor();
      await look("palette");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Alt+n");
      await page.getByTestId("create-session").waitFor();
      await look("new session");
      await page.keyboard.press("Escape");
      await page.locator("#main").focus();
      await page.keyboard.press("?");
      await page.getByTestId("shortcuts").waitFor();
      await look("keys");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "More for Count the stock" }).click();
      await look("menu");
      await page.keyboard.press("Escape");
      for (const section of ["providers", "drones", "projects", "tokens", "browser", "users"]) {
        await page.goto(`${code.url}/settings/${section}`);
        await page.getByRole("heading", { level: 2 }).first().waitFor();
        await look(`settings ${section}`);
      }
      await page.goto(code.url);
      await page.getByRole("region", { name: "Go on with" }).waitFor();
      await look("home");
      await page.setViewportSize({ width: 360, height: 740 });
      await page.getByRole("button", { name: "Open the menu. Elsewhere 1 waits for you" }).waitFor();
      await look("home narrow");
      await page.getByRole("button", { name: "Open the menu" }).click();
      await page.getByTestId("session-link").first().waitFor();
      await look("menu narrow");
      await page.goto(`${code.url}/sessions/${session.id}`);
      await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
      await look("session narrow");
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
      assert.deepEqual(found, []);
    });
  }

  test("asks before a model's link is followed, and says when a part of it is gone or the service is a newer one", async (t) => {
    for (const [colorScheme, width] of [["light", 1280], ["dark", 360]]) {
      const { page } = await everything(t, { colorScheme, width });
      const shot = (name) => `${name}-${colorScheme}`;
      let version;
      let open;
      await page.routeWebSocket(/\/ws\/ide/, (socket) => {
        open = socket;
        const server = socket.connectToServer();
        server.onMessage((text) => socket.send(version ? text.replace(/("serviceVersion":")[^"]*/, `$1${version}`) : text));
      });
      await page.route(/replay-dialog/, (route) => (route.request().resourceType() === "script" ? route.abort() : route.fallback()));
      await page.reload();

      await send(page, `[[script]] ${JSON.stringify([`See [the docs](https://docs.example.org/read?what=${"the-shop-".repeat(12)}).`])}`);
      await ended(page);
      const here = page.url();
      await page.getByRole("link", { name: "the docs" }).click();
      const dialog = page.getByTestId("link-dialog");
      await dialog.waitFor();
      assert.match(await dialog.innerText(), /It leads to docs\.example\.org\./);
      assert.deepEqual(await usable(page, shot("link-dialog")), []);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      assert.equal(page.url(), here);
      assert.equal(page.context().pages().length, 1);

      await fromMenu(page, "Replay");
      await page.getByText("This cannot be shown.").waitFor();
      assert.deepEqual(await usable(page, shot("part-gone")), []);
      await page.keyboard.press("Escape");
      await page.getByText("This cannot be shown.").waitFor({ state: "detached" });
      assert.equal(await page.getByTestId("prompt-input").isVisible(), true);

      version = "999.0.0";
      await open.close({ code: 1012, reason: "replaced" });
      await page.getByText("Gadget was updated.").waitFor();
      assert.deepEqual(await usable(page, shot("outdated")), []);
      await page.getByRole("button", { name: "Reload" }).click();
      await page.getByTestId("prompt-input").waitFor();
      assert.equal(await page.getByText("Gadget was updated.").count(), 0);
    }
  });

  test("S4-01, S4-26, S4-45: where a network stops sockets it says what is not stored and that Gadget was updated, also after a reload", async (t) => {
    const { page } = await everything(t);
    const says = { "gadget-saved": "false" };
    let sockets = 0;
    await page.routeWebSocket(/\/ws\/ide/, (socket) => {
      sockets += 1;
      return socket.close();
    });
    await page.route(/\/api\/v1\/sessions\?|\/api\/v1\/sessions$/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, headers: { ...answer.headers(), ...says } });
    });
    await page.reload();
    const door = (name) => page.locator(`[data-testid="connection-state"][data-door="${name}"][data-state="live"]`).waitFor({ timeout: 60_000 });
    await door("sse");
    await page.getByText("What you see is not stored at the moment").waitFor();
    await send(page, "[[plain]] hello");
    await ended(page);
    const before = sockets;
    await page.reload();
    await door("sse");
    assert.equal(sockets, before, "it begins with the door that works");
    says["gadget-saved"] = "true";
    says["gadget-version"] = "999.0.0";
    await page.getByText("Gadget was updated.").waitFor();
    await page.getByText("What you see is not stored at the moment").waitFor({ state: "detached" });
  });

  test("runs nothing and fetches nothing that foreign text says, wherever it is shown and however it comes", async (t) => {
    const name = `<img src=x onerror="boom()">`;
    const { code, call, workspace, session, page } = await everything(t, { session: { approvalPolicy: "ask", reasoningEffort: "medium", name: `A5 ${name}` } });
    await page.addInitScript(() => {
      window.ran = [];
      window.boom = (...what) => window.ran.push(what.join() || "boom");
      window.alert = window.boom;
      addEventListener("securitypolicyviolation", (event) => window.ran.push(`${event.violatedDirective} ${event.blockedURI}`));
    });
    const evil = "https://evil.example";
    const corpus = [
      "<script>boom()</script>",
      "<script src=https://evil.example/x.js></script>",
      `<img src=x onerror=boom()>`,
      `<svg onload=boom()><use href="${evil}/x.svg#a"/></svg>`,
      `<svg><script>boom()</script></svg>`,
      `<iframe srcdoc="<script>parent.boom()</script>"></iframe>`,
      `<a href="javascript:boom()">one</a>`,
      "[two](javascript:boom())",
      "[three](JaVaScRiPt&colon;boom())",
      "[four](data:text/html,<script>boom()</script>)",
      "[five](vbscript:boom())",
      `![six](${evil}/p.png?q=SECRET)`,
      `![seven][r]\n\n[r]: ${evil}/q.png`,
      `<link rel=stylesheet href=${evil}/a.css><style>@import "${evil}/b.css"; *{background:url(${evil}/c)}</style>`,
      `<math><mtext><table><mglyph><style><img src=x onerror=boom()></style></mglyph></table></mtext></math>`,
      `<form action=${evil}><button formaction="javascript:boom()">go</button></form>`,
      `<details open ontoggle=boom()>x</details><video src=${evil}/v poster=${evil}/w onerror=boom()></video>`,
      "<div style=position:fixed;inset:0 onmouseover=boom()>over all</div>",
      "`<img src=x onerror=boom()>`",
      "```html\n<img src=x onerror=boom()>\n```",
      `[my bank](${evil}/login)`,
      `| a | b |\n|---|---|\n| <img src=x onerror=boom()> | [x](javascript:boom()) |`,
    ];
    const all = corpus.join("\n\n");
    writeFileSync(join(workspace, name.replaceAll("/", "")), all);
    mkdirSync(join(workspace, "<svg onload=boom()>"));
    await call("PATCH", `/projects/${session.projectId}`, { name: `Shop ${name}` });
    const said = (part) => page.getByTestId("block-responding").last().getByText(part, { exact: false });

    await page.goto(`${code.url}/sessions/${session.id}`);
    await send(page, `[[script chars=1 rate=2000]] ${JSON.stringify([{ thinking: all, text: all }])}`);
    await said("my bank").first().waitFor({ timeout: 60_000 });
    await ended(page);
    await page.getByRole("button", { name: /^Thought/ }).last().click();
    await said(evil).first().waitFor();
    const links = await page.$$eval('[data-testid="block-responding"] a', (all) => all.map((link) => [link.textContent, link.getAttribute("href"), link.dataset.host ?? null]));
    assert.ok(links.some(([text, href, host]) => text === "my bank" && href === `${evil}/login` && host === "evil.example"), "a link shows its host");
    assert.deepEqual(links.filter(([, href]) => href !== null && !/^https?:\/\/evil\.example/.test(href)), []);
    assert.equal(await page.locator("#main img, #main iframe, #main script, #main style, #main form[action], #main video, #main link, #main [onerror], #main [onload]").count(), 0);

    await send(page, `[[script]] ${JSON.stringify([[{ tool: "run_command", arguments: { command: `printf '%s' '${name}'` } }], [{ tool: "write_file", arguments: { path: "new <img src=x onerror=boom()>.html", content: all } }], [{ tool: name, arguments: { [name]: all } }], all])}`);
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.locator('[data-tool-name="write_file"][data-state="awaiting_approval"]').waitFor();
    await picture(page, "xss-approval");
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await ended(page);
    await page.$$eval('[data-testid="block-tool"] > [data-call-line] > button[aria-expanded="false"], [data-testid="turn-files"] button[aria-expanded="false"]', (folds) => folds.forEach((fold) => fold.click()));
    await page.getByRole("region", { name: "Changes of the turn" }).first().waitFor();
    await picture(page, "xss-turn");

    await page.getByTestId("panel-toggle").click();
    await page.getByTestId("tree-item").first().waitFor();
    for (const path of [name.replaceAll("/", ""), "new <img src=x onerror=boom()>.html"]) {
      await page.getByTestId("tree-item").filter({ hasText: path }).first().click();
      await page.getByTestId("code").locator(".cm-content").getByText("<script>boom()").first().waitFor();
      await page.getByRole("button", { name: "Back to the files" }).click();
    }
    await page.getByTestId("tree-item").filter({ hasText: "<svg onload" }).click();
    await page.getByTestId("panel-tab-changes").click();
    await page.getByTestId("panel-tab-changes").waitFor();
    await page.getByTestId("prompt-input").fill("");
    await page.getByTestId("prompt-input").pressSequentially("@");
    await page.getByTestId("mentions").getByText("<img").first().waitFor();
    await page.getByTestId("mentions").getByText("<svg").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByTestId("prompt-input").fill("");
    await send(page, `[[plain]] ${all}`);
    await ended(page);
    await page.keyboard.press("Control+k");
    await page.getByTestId("palette-input").fill(name);
    await page.keyboard.press("Escape");
    const ran = await page.evaluate(() => window.ran);
    await page.goto(code.url);
    await page.getByRole("region", { name: "Go on with" }).getByText("<img").first().waitFor();
    await page.getByTestId("session-list").getByText("Shop <img").waitFor();

    assert.deepEqual([...ran, ...(await page.evaluate(() => window.ran))], []);
    assert.deepEqual(page.problems, []);
  });

  test("S0-52: shows what two subagents do at once, live, over a reload in mid-stream, stored and played again", async (t) => {
    const { code, call, session, page } = await everything(t, { session: { reasoningEffort: "low", approvalPolicy: "ask" } });
    const phone = await signedIn(t, code, session, { width: 360, height: 740, colorScheme: "dark" });
    const words = (name, count) => Array.from({ length: count }, (_, at) => `${name}${at + 1}`).join(" ");
    const answer = (name) => `In **${name}** there is ${words(`${name}-d`, 250)}.`;
    // Slow enough that a reload takes place in its middle.
    const task = (name) =>
      `Look at ${name}. [[script rate=10]] ${JSON.stringify([
        { thinking: words(`${name}-a`, 40), text: `I look at **${name}**.`, calls: [{ tool: "list_files", arguments: { path: "src" } }] },
        { thinking: words(`${name}-b`, 40), calls: [{ tool: "find_files", arguments: { pattern: `${name}-*` } }, { tool: "read_file", arguments: { path: "a shop.md" } }] },
        { thinking: words(`${name}-c`, 40), text: answer(name) },
      ])}`;
    const names = ["left", "right"];
    const both = (on, name) => on.locator(`section[aria-label^="Subagent: Look at ${name}."]`);
    const story = (on, name) => both(on, name).getByTestId("subagent-story");
    const begun = async (on, name) => (await both(on, name).getByTestId("subagent-step").textContent()) !== "Begins …";
    const open = (on, name) => both(on, name).locator("[data-call-line] > button[aria-expanded]").first().press("Enter");
    /** What is on the page of it, in order. */
    const shown = (within) =>
      within.locator("[data-block-index]").evaluateAll((all) =>
        all.map(({ dataset }) => [Number(dataset.blockIndex), dataset.testid.replace("block-", ""), ...(dataset.state ? [dataset.toolName, dataset.state] : [])]),
      );
    /** All that there is of a story, of which a long one has only a part on the page at a time: from its end to its beginning. */
    const read = async (on, name, blocks) => {
      const seen = new Map();
      const box = story(on, name).locator("[tabindex='0']").first();
      for (const [top, place] of [[Number.MAX_SAFE_INTEGER, -1], [0, 0]]) {
        await eventually("this end of the story is on the page", async () => {
          await box.evaluate((element, top) => (element.scrollTop = top), top);
          const now = await shown(story(on, name));
          for (const one of now) seen.set(one[0], one);
          return now.at(place)?.[0] === blocks.at(place).index;
        });
      }
      return [...seen.values()].sort(([one], [other]) => one - other);
    };
    const stored = (blocks) => blocks.map(({ index, mode, content }) => [index, mode, ...(mode === "tool" ? [content.name, content.state] : [])]);

    await send(page, `[[script]] ${JSON.stringify([{ thinking: "Two can look.", text: "I ask two.", calls: names.map((name) => ({ tool: "delegate", arguments: { task: task(name) } })) }, "Both came back."])}`);
    for (const on of [page, phone]) for (const name of names) await eventually(`${name} is seen at work`, () => begun(on, name));
    assert.equal(await page.getByTestId("block-thinking").count(), 1, "closed they are a line each");
    await picture(page, "subagents-closed-light-1280");
    await picture(phone, "subagents-closed-dark-360");
    for (const name of names) {
      await open(page, name);
      await story(page, name).getByTestId("block-thinking").first().waitFor();
    }
    const grown = async (name) => (await story(page, name).textContent()).length;
    const before = await Promise.all(names.map(grown));
    for (const [at, name] of names.entries()) await eventually(`${name} grows`, async () => (await grown(name)) > before[at]);
    await picture(page, "subagents-open-light-1280");
    const half = await call("GET", `/sessions/${session.id}`);
    assert.equal(half.turns[0].status, "processing");

    // Over a reload in mid-stream they go on from where they are.
    await page.reload();
    for (const on of [page, phone]) for (const name of names) await open(on, name);
    for (const on of [page, phone]) for (const name of names) await eventually(`${name} goes on`, async () => (await shown(story(on, name))).length >= 7);
    await picture(phone, "subagents-open-dark-360");
    for (const on of [page, phone]) await ended(on);
    const [turn] = (await call("GET", `/sessions/${session.id}`)).turns;
    assert.equal(turn.status, "finished", JSON.stringify(turn.error));
    const own = turn.blocks.filter(({ parent }) => !parent);
    const delegates = own.filter(({ content }) => content.name === "delegate");
    const told = (name) => {
      const { callId } = delegates.find(({ content }) => content.parameters.task.startsWith(`Look at ${name}.`)).content;
      return turn.blocks.filter(({ parent }) => parent === callId);
    };
    for (const name of names) {
      assert.equal(delegates.every(({ content }) => content.state === "done" && !content.output), true);
      assert.equal(told(name).filter(({ mode }) => mode === "tool").length, 3);
      for (const on of [page, phone]) {
        // Who watched it sees all of it, and the answer where it came.
        assert.equal((await story(on, name).getByTestId("block-responding").last().textContent()).trim(), answer(name).replaceAll("**", ""));
        assert.deepEqual(await read(on, name, told(name)), stored(told(name)), name);
        assert.equal(await both(on, name).getByTestId("subagent-answer").count(), 0);
      }
      assert.match(await both(page, name).getByTestId("call-calls").textContent(), /^3 calls/);
    }
    assert.equal(await page.getByTestId("block-responding").last().textContent().then((text) => text.trim()), "Both came back.");

    // Who comes later reads the answer below the story, once.
    await page.reload();
    await ended(page);
    assert.match(await both(page, "left").getByTestId("call-result").textContent(), /^In left there is left-d1 /);
    assert.deepEqual((await shown(page.locator("article"))), stored(own));
    await picture(page, "subagents-ended-closed-light-1280");
    for (const name of names) {
      await open(page, name);
      assert.match(await both(page, name).getByTestId("subagent-answer").textContent(), new RegExp(`In ${name} there is .*${name}-d250\\.`));
      assert.deepEqual(await read(page, name, told(name).slice(0, -1)), stored(told(name).slice(0, -1)), "the answer stands there once");
    }
    const found = [...(await usable(page, "subagents ended light 1280")), ...(await usable(phone, "subagents ended dark 360"))];
    assert.deepEqual(found, []);
    for (const on of [page, phone]) assert.ok((await on.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)) <= 0, "nothing sticks out");

    // Played again, they are seen to work side by side.
    await fromMenu(page, "Replay");
    const replay = page.getByTestId("replay");
    const slider = page.getByRole("slider", { name: "Place in the turn" });
    await slider.focus();
    await page.keyboard.press("Home");
    const seen = new Set();
    for (let step = 0; (await replay.getAttribute("data-at")) !== (await replay.getAttribute("data-length")); step += 1) {
      assert.ok(step < 100, "the end is reached");
      await page.keyboard.press("ArrowRight");
      if ((await replay.getAttribute("data-playing")) === "true") await page.keyboard.press(" ");
      const lines = await replay.getByTestId("subagent-step").allTextContents();
      if (lines.length === 2 && lines.every((line) => line !== "Begins …")) seen.add("both");
      for (const line of lines) seen.add(line.split(" ")[0]);
    }
    for (const one of ["both", "Thinking", "read_file"]) assert.ok(seen.has(one), `${one} in ${[...seen]}`);
    assert.deepEqual(await shown(replay), stored(own));
    assert.deepEqual(page.problems, []);
    assert.deepEqual(phone.problems, []);
  });

  test("S0-52: of a subagent of very many calls only those near the view are on the page, and all can be read", async (t) => {
    const { call, session, page } = await everything(t);
    const rounds = Array.from({ length: 5 }, (_, round) => Array.from({ length: 40 }, (_, at) => ({ tool: "find_files", arguments: { pattern: `no-${round}-${at}` } })));
    await send(page, `[[script]] ${JSON.stringify([[{ tool: "delegate", arguments: { task: `Look. [[script]] ${JSON.stringify([...rounds, "Nothing."])}` } }], "It found nothing."])}`);
    await ended(page);
    const [turn] = (await call("GET", `/sessions/${session.id}`)).turns;
    assert.equal(turn.blocks.filter(({ parent }) => parent).length, 201);
    const line = page.locator('section[aria-label^="Subagent: Look."]');
    await line.locator("[data-call-line] > button[aria-expanded]").first().click();
    const calls = line.getByTestId("subagent-story").getByTestId("block-tool");
    await calls.first().waitFor();
    const box = line.getByTestId("subagent-story").locator("[tabindex='0']").first();
    const seen = new Set();
    /** It is scrolled on, and filled with what stands there. */
    const filled = (from) =>
      box.evaluate((element, from) => {
        const last = [...element.querySelectorAll("[data-block-index]")].at(-1)?.getBoundingClientRect().bottom ?? 0;
        const atEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 1;
        return (element.scrollTop > from || atEnd) && last >= element.getBoundingClientRect().bottom - 20;
      }, from);
    await box.focus();
    for (let step = 0; !seen.has("200"); step += 1) {
      assert.ok(step < 100, `${seen.size} of them were seen`);
      const now = await calls.evaluateAll((all) => all.map(({ dataset }) => dataset.blockIndex));
      assert.ok(now.length < 100, `${now.length} are on the page`);
      for (const one of now) seen.add(one);
      const from = await box.evaluate((element) => element.scrollTop);
      await page.keyboard.press("PageDown");
      await eventually("the box is filled", () => filled(from));
    }
    assert.equal(seen.size, 200, "all could be read");
    assert.equal(await line.getByTestId("subagent-answer").textContent().then((text) => text.includes("Nothing.")), true);
    await picture(page, "subagent-long");
    assert.deepEqual(page.problems, []);
  });
});
