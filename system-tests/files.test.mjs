// Files and Changes in a real browser: what a person reads, edits and saves is on the drone's disk, and nothing is lost in a conflict.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { chromiumPath, openPage, signIn } from "./lib/browser.mjs";
import { eventually, makeSession, startCodeService, startDrone, startProvider, temporaryFolder } from "./lib/processes.mjs";

const APP = "public class App {\n    // says hello\n    int answer = 42;\n}\n";

function repository(t) {
  const workspace = temporaryFolder(t, "workspace");
  mkdirSync(join(workspace, "src/main"), { recursive: true });
  writeFileSync(join(workspace, "src/main/App.java"), APP);
  writeFileSync(join(workspace, "README.md"), "# Shop\n\nA shop.\n");
  const git = (...args) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: workspace });
  git("init", "-q", "-b", "trunk");
  git("add", "--all");
  git("commit", "-q", "-m", "first");
  return workspace;
}

async function begin(t, size = {}) {
  const provider = await startProvider(t);
  const code = await startCodeService(t);
  const call = await code.signIn();
  const workspace = repository(t);
  await startDrone(t, code, call, workspace);
  const session = await makeSession(call, { baseUrl: provider.openai, workspaceId: (await call("GET", "/drones")).items[0].workspaceId });
  const page = await openPage(t, { url: code.url, ...size });
  await signIn(page, code.email, code.password);
  await page.goto(`${code.url}/sessions/${session.id}`);
  return { code, call, workspace, session, page };
}

/** Takes a picture when somebody wants to look. */
async function picture(page, name) {
  if (!process.env.GADGET_TEST_PICTURES) return;
  await page.evaluate(() => Promise.all(document.getAnimations().filter((one) => one.effect.getTiming().iterations === 1).map((one) => one.finished)));
  await page.screenshot({ path: join(process.env.GADGET_TEST_PICTURES, `${name}.png`) });
}

const item = (page, path) => page.locator(`[data-testid="tree-item"][data-path="${path}"]`);
const content = (page) => page.getByTestId("code").locator(".cm-content");
const mode = (page, wanted) => page.locator(`[data-testid="file-mode"][data-mode="${wanted}"]`);

describe("files in the page", { skip: !chromiumPath && "no Chromium is installed (package 'chromium')" }, () => {
  test("a person opens a file by keys, edits and saves it, sees the change, and puts a conflict right", async (t) => {
    const { call, workspace, session, page } = await begin(t, { width: 1500, height: 900 });
    const file = join(workspace, "src/main/App.java");

    await page.getByTestId("panel-toggle").click();
    await item(page, "src").focus();
    await page.keyboard.press("ArrowRight");
    await item(page, "src/main").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await item(page, "src/main/App.java").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await content(page).getByText("int answer").waitFor();
    await mode(page, "idle").waitFor();
    await picture(page, "opened-light");
    const width = (await page.getByTestId("panel").boundingBox()).width;
    await page.getByRole("separator").focus();
    for (let step = 0; step < 12; step += 1) await page.keyboard.press("ArrowLeft");
    const wider = (await page.getByTestId("panel").boundingBox()).width;
    assert.ok(wider > width + 200, `${width} px became ${wider} px`);
    await item(page, "src/main/App.java").waitFor();
    await picture(page, "wide-light");

    await page.getByTestId("take-over").click();
    await mode(page, "user").waitFor();
    await content(page).getByText("says hello").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" to all");
    await page.getByTestId("file-unsaved").waitFor();
    await eventually("the text is kept by the browser", () => page.evaluate((id) => Object.keys(localStorage).some((key) => key.startsWith(`gadget.draft.${id}.`)), session.id));
    await page.reload();
    await page.getByTestId("file-unsaved").waitFor();
    await content(page).getByText("says hello to all").waitFor();
    assert.equal((await page.getByTestId("panel").boundingBox()).width, wider, "the panel is as it was left");
    assert.equal(readFileSync(file, "utf8"), APP, "nothing is saved before a person says so");
    await content(page).click();
    await page.keyboard.press("Control+s");
    await eventually("the text is on the drone's disk", () => readFileSync(file, "utf8") === APP.replace("hello", "hello to all"));
    await page.getByTestId("file-unsaved").waitFor({ state: "detached" });

    await page.getByTestId("panel-tab-changes").click();
    const change = page.locator('[data-testid="change-item"][data-path="src/main/App.java"][data-status="M"]');
    await change.getByRole("button").first().click();
    await change.locator('[data-testid="diff"] [data-kind="added"]', { hasText: "says hello to all" }).waitFor();
    await picture(page, "changes-light");
    writeFileSync(join(workspace, "new.txt"), "new\n");
    await page.getByTestId("changes").getByRole("button", { name: "Read again" }).click();
    await page.locator('[data-testid="change-item"][data-path="new.txt"][data-status="?"]').waitFor();

    await page.getByTestId("panel-tab-files").click();
    await content(page).getByText("int answer").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" // mine");
    const theirs = readFileSync(file, "utf8").replace("class App", "class Shop");
    writeFileSync(file, theirs);
    await page.keyboard.press("Control+s");
    await page.getByTestId("conflict").waitFor();
    await page.getByTestId("merge").locator(".cm-mergeView").waitFor();
    assert.equal(readFileSync(file, "utf8"), theirs, "the other text is still there");
    await picture(page, "conflict-light");
    const revert = page.getByTestId("merge").locator(".cm-merge-revert button").first();
    await revert.click();
    await page.getByTestId("conflict-save").click();
    const merged = theirs.replace("= 42;", "= 42; // mine");
    await eventually("both changes are on the disk", () => readFileSync(file, "utf8") === merged);
    await page.getByTestId("conflict").waitFor({ state: "detached" });
    await page.getByTestId("file-unsaved").waitFor({ state: "detached" });
    assert.match(await content(page).textContent(), /class Shop.*\/\/ mine/);

    const again = await call("GET", `/sessions/${session.id}/file?path=src/main/App.java`);
    assert.equal(again.text, merged);
    assert.deepEqual(page.problems.filter((one) => !/409/.test(one)), [], "the content policy lets the editor be");
  });

  test("while the agent works a file is read only; after its turn the changes are there", async (t) => {
    const { call, workspace, session, page } = await begin(t, { width: 1500, height: 900, colorScheme: "dark" });
    await page.getByTestId("panel-toggle").click();
    await item(page, "README.md").click();
    await content(page).getByText("A shop.").waitFor();

    await page.getByTestId("prompt-input").fill(`[[run command="sh -c 'while test ! -e go; do sleep 0.1; done; echo more >> README.md'"]]`);
    await page.getByTestId("prompt-send").click();
    await mode(page, "agent").waitFor();
    await content(page).click();
    await page.keyboard.type("typed");
    assert.equal((await content(page).textContent()).includes("typed"), false);
    const refused = await call("POST", `/sessions/${session.id}/file?path=x.txt`, { type: "file" }).catch((error) => error.problem);
    assert.equal(refused.code, "workspace_locked");
    await picture(page, "agent-dark");
    writeFileSync(join(workspace, "go"), "");

    await page.getByTestId("turn-status").last().and(page.locator('[data-status="finished"]')).waitFor({ timeout: 60_000 });
    await content(page).getByText("more").waitFor();
    await page.getByTestId("panel-tab-changes").click();
    const change = page.locator('[data-testid="change-item"][data-path="README.md"]');
    await change.getByRole("button").first().click();
    await change.locator('[data-kind="added"]', { hasText: "more" }).waitFor();
    await picture(page, "changes-dark");
    assert.deepEqual(page.problems, []);
  });

  test("on a narrow screen the panel is a sheet, and files are made, renamed and deleted in it", async (t) => {
    const { workspace, page } = await begin(t, { width: 420, height: 820 });
    await page.getByTestId("panel-toggle").click();
    const box = await page.getByTestId("panel").boundingBox();
    assert.deepEqual([box.x, box.width], [0, 420]);
    await item(page, "src").waitFor();
    await picture(page, "tree-narrow");

    await page.getByRole("button", { name: "New file" }).click();
    await page.getByTestId("entry-path").fill("docs/plan.md");
    await page.getByTestId("entry-submit").click();
    await mode(page, "user").waitFor();
    await content(page).click();
    await page.keyboard.type("# Plan");
    await page.getByTestId("file-save").click();
    await eventually("the new file is on the disk", () => readFileSync(join(workspace, "docs/plan.md"), "utf8") === "# Plan");
    writeFileSync(join(workspace, "docs/plan.md"), "# Their plan\n");
    await content(page).click();
    await page.keyboard.type("!");
    await page.getByTestId("file-save").click();
    await page.getByTestId("merge").locator(".cm-deletedChunk").waitFor();
    await picture(page, "conflict-narrow");
    await page.getByTestId("conflict-theirs").click();
    await content(page).getByText("# Their plan").waitFor();
    assert.equal(readFileSync(join(workspace, "docs/plan.md"), "utf8"), "# Their plan\n");
    await picture(page, "editor-narrow");

    await page.getByRole("button", { name: "Back to the files" }).click();
    await item(page, "docs").click();
    await item(page, "docs/plan.md").waitFor();
    await item(page, "docs").click();
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByTestId("entry-path").fill("notes");
    await page.getByTestId("entry-submit").click();
    await item(page, "notes").waitFor();
    assert.equal(readFileSync(join(workspace, "notes/plan.md"), "utf8"), "# Their plan\n");
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByTestId("entry-submit").click();
    await item(page, "notes").waitFor({ state: "detached" });
    assert.deepEqual(page.problems.filter((one) => !/409/.test(one)), []);
  });
});
