// Files and Changes in a real browser: what a person reads, edits and saves is on the drone's disk, and nothing is lost in a conflict.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { chromiumPath, openPage, picture, signIn } from "./lib/browser.mjs";
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
    await page.locator('[data-testid="merge-left"][data-left="0"]').waitFor();
    assert.match(await page.getByTestId("merge").locator(".cm-merge-b .cm-content").textContent(), /class Shop.*\/\/ mine/);
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

  test("a new session has the workspace of the only drone, and @ finds a file by its name before the first prompt", async (t) => {
    const { call, session, page } = await begin(t, { width: 1280, height: 800 });
    const rules = [{ action: "allow", command: "mvn test *" }];
    await call("PATCH", `/sessions/${session.id}`, { rules });
    await page.reload();
    await page.getByTestId("session-list").waitFor({ state: "attached" });
    await page.keyboard.press("Alt+n");
    await page.getByTestId("take-along").waitFor();
    await picture(page, "take-along");
    await page.getByTestId("create-session").click();
    await page.waitForURL((address) => !address.pathname.endsWith(session.id));
    const made = await call("GET", new URL(page.url()).pathname);
    assert.equal(made.workspaceId, session.workspaceId);
    assert.equal(made.rules[0].command, "mvn test *");
    const box = page.getByTestId("prompt-input");
    await box.click();
    await box.pressSequentially("Look at @app.j");
    await page.getByTestId("mentions").getByText("App.java").waitFor();
    await picture(page, "mention-by-name");
    await page.keyboard.press("Enter");
    assert.equal(await box.inputValue(), "Look at @src/main/App.java ");
  });

  test("who goes back to before a turn takes the files along, and decides about what was changed since", async (t) => {
    const { call, workspace, session, page } = await begin(t, { width: 1280, height: 800 });
    const file = join(workspace, "a.txt");
    for (const content of ["1\n", "2\n"]) {
      const rounds = JSON.stringify([[{ tool: "write_file", arguments: { path: "a.txt", content } }], "Written."]);
      const turn = await call("POST", `/sessions/${session.id}/turns`, { prompt: `[[script]] ${rounds}` });
      assert.equal(turn.status, "finished", JSON.stringify(turn.error));
    }
    writeFileSync(file, "mine\n");
    await page.getByRole("button", { name: "Edit" }).nth(1).waitFor();
    await page.getByRole("button", { name: "Edit" }).first().click();
    await page.getByTestId("edit-prompt").fill("Something else. [[plain]]");
    await page.getByTestId("put-back").check();
    await page.getByRole("button", { name: "Send in a branch" }).click();
    await page.getByTestId("put-back-state").getByText("a.txt was changed after the turn").waitFor();
    await picture(page, "put-back");
    assert.equal(readFileSync(file, "utf8"), "mine\n", "nothing is lost before a person says so");
    await page.getByRole("button", { name: "Undo anyway" }).click();
    await page.waitForURL((address) => !address.pathname.endsWith(session.id));
    assert.ok(!existsSync(file), "both turns are undone");
  });

  test("after a plan the agent is let go ahead, and the header says how", async (t) => {
    const { call, session, page } = await begin(t, { width: 1280, height: 800 });
    await call("PATCH", `/sessions/${session.id}`, { approvalPolicy: "read_only" });
    const plan = await call("POST", `/sessions/${session.id}/turns`, { prompt: `[[script]] ["1. Do this."]` });
    assert.equal(plan.status, "finished", JSON.stringify(plan.error));
    await page.locator('[data-testid="policy"][data-policy="read_only"]').waitFor();
    await page.getByTestId("go-ahead").getByRole("combobox").selectOption("ask");
    await picture(page, "go-ahead");
    await page.getByTestId("go-ahead").getByRole("button", { name: "Go ahead" }).click();
    await page.locator('[data-testid="policy"][data-policy="ask"]').waitFor();
    await eventually("the plan is carried out", async () => {
      const now = await call("GET", `/sessions/${session.id}`);
      return now.approvalPolicy === "ask" && now.turns.some((turn) => turn.prompt === "Carry out the plan.");
    });
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

  test("puts parts and whole files back, takes that back, leaves what changed meanwhile, and commits", async (t) => {
    const { workspace, page } = await begin(t, { width: 1500, height: 900 });
    const git = (...args) => execFileSync("git", args, { cwd: workspace, encoding: "utf8" }).trim();
    git("config", "user.name", "Ada");
    git("config", "user.email", "ada@example.org");
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
    const long = join(workspace, "long.txt");
    const text = (...changed) => `${lines.map((line, at) => (changed.includes(at) ? `other ${at}` : line)).join("\n")}\n`;
    writeFileSync(long, text());
    git("add", "--all");
    git("commit", "-q", "-m", "long");
    writeFileSync(long, text(3, 30));
    writeFileSync(join(workspace, "new.txt"), "new\n");
    rmSync(join(workspace, "README.md"));
    const change = (path) => page.locator(`[data-testid="change-item"][data-path="${path}"]`);
    const now = (wanted) => eventually("the file is as it should be", () => readFileSync(long, "utf8") === wanted);

    await page.getByTestId("panel-toggle").click();
    await page.getByTestId("panel-tab-changes").click();
    await change("long.txt").locator("[aria-expanded]").click();
    await change("long.txt").getByTestId("revert-hunk").nth(1).waitFor();
    await page.getByTestId("diff-style").click();
    await change("long.txt").locator('[data-testid="diff-lines"][data-style="side"] [data-kind="pair"]', { hasText: "other 30" }).waitFor();
    await picture(page, "changes-side");
    await page.reload();
    await change("long.txt").locator("[aria-expanded]").click();
    await change("long.txt").locator('[data-style="side"]').waitFor();
    await page.getByTestId("diff-style").click();

    await change("long.txt").getByTestId("revert-hunk").first().click();
    assert.equal(readFileSync(long, "utf8"), text(3, 30), "nothing happens before it is confirmed");
    await change("long.txt").getByRole("button", { name: "Revert", exact: true }).first().click();
    await now(text(30));
    await page.getByText("A part of long.txt is as it was.").waitFor();
    // Read again, and again after the undo: what is changed behind the page's back comes after it has read.
    await change("long.txt").getByTestId("revert-hunk").nth(1).waitFor({ state: "detached" });
    await page.getByTestId("changes").getByRole("button", { name: "Undo" }).click();
    await now(text(3, 30));

    await change("long.txt").getByTestId("revert-hunk").nth(1).waitFor();
    writeFileSync(long, `first\n${text(3, 30)}`);
    await change("long.txt").getByTestId("revert-hunk").first().click();
    await change("long.txt").getByRole("button", { name: "Revert", exact: true }).first().click();
    await change("long.txt").getByText("The file was changed since these differences were read.").waitFor();
    assert.equal(readFileSync(long, "utf8"), `first\n${text(3, 30)}`);
    writeFileSync(long, text(3, 30));
    await page.getByTestId("changes").getByRole("button", { name: "Read again" }).click();

    await change("README.md").locator("[aria-expanded]").click();
    await change("README.md").getByTestId("revert-file").click();
    await change("README.md").getByRole("button", { name: "Revert", exact: true }).click();
    await eventually("it is there again", () => readFileSync(join(workspace, "README.md"), "utf8") === "# Shop\n\nA shop.\n");
    await change("new.txt").locator("[aria-expanded]").click();
    await change("new.txt").getByTestId("revert-file").click();
    await change("new.txt").getByRole("button", { name: "Delete it" }).click();
    await eventually("it is gone", () => !existsSync(join(workspace, "new.txt")));
    await page.getByTestId("changes").getByRole("button", { name: "Undo" }).click();
    // The list may still show the file that is gone: that it is there again is to be seen on the disk.
    await eventually("it is back", () => existsSync(join(workspace, "new.txt")) && readFileSync(join(workspace, "new.txt"), "utf8") === "new\n");
    await change("new.txt").waitFor();

    const commits = () => Number(git("rev-list", "--count", "HEAD"));
    await change("new.txt").getByRole("checkbox").uncheck();
    await page.getByTestId("commit-message").fill("Change two lines");
    writeFileSync(join(workspace, ".git/hooks/pre-commit"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    await page.getByTestId("commit").click();
    await page.getByText("The repository has hooks for a commit (pre-commit).").waitFor();
    assert.equal(commits(), 2);
    rmSync(join(workspace, ".git/hooks/pre-commit"));
    await page.getByTestId("commit").click();
    await page.getByText("Committed as").waitFor();
    assert.equal(commits(), 3);
    assert.equal(git("log", "-1", "--format=%an %s"), "Ada Change two lines");
    assert.equal(git("show", "--name-only", "--format=", "HEAD"), "long.txt");
    await change("long.txt").waitFor({ state: "detached" });
    await change("new.txt").waitFor();
    assert.deepEqual(page.problems.filter((one) => !one.includes("409")), [], "but for the commit that was refused");
  });

  test("differences of a hundred thousand lines keep the page small; what is no text, and what is not seen, is said", async (t) => {
    const { workspace, page } = await begin(t, { width: 1500, height: 900 });
    writeFileSync(join(workspace, "large.txt"), Array.from({ length: 100_000 }, (_, at) => `${at}\n`).join(""));
    writeFileSync(join(workspace, "image.bin"), Buffer.from([0, 1, 2, 255]));
    const turned = `a\u202etxt.exe`;
    writeFileSync(join(workspace, turned), "if (user \u2066// admin\u2069) {\n");
    const change = (path) => page.locator(`[data-testid="change-item"][data-path="${path}"]`);
    const open = (path) => change(path).locator("[aria-expanded]").click();

    await page.getByTestId("panel-toggle").click();
    await page.getByTestId("panel-tab-changes").click();
    await open("large.txt");
    await change("large.txt").getByText(/Lines 1 to 1,500 of 100,00\d/).waitFor();
    await change("large.txt").getByRole("button", { name: "After" }).click();
    await change("large.txt").getByText(/Lines 1,501 to 3,000/).waitFor();
    assert.ok((await page.evaluate(() => document.getElementsByTagName("*").length)) < 12_000);
    await open("large.txt");

    await open("image.bin");
    await change("image.bin").getByText("Binary files").waitFor();
    await change("image.bin").getByTestId("revert-file").click();
    await change("image.bin").getByRole("button", { name: "Delete it" }).click();
    await change("image.bin").getByText("nobody could take that back").waitFor();
    assert.ok(existsSync(join(workspace, "image.bin")));

    await open(turned);
    await change(turned).getByTestId("unseen").filter({ hasText: "U+2066" }).waitFor();
    assert.equal(await change(turned).locator("[aria-expanded]").textContent(), "NaU+202Etxt.exe");
    await picture(page, "changes-unseen");
    assert.deepEqual(page.problems, []);
  });
});
