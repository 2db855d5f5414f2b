// Projects of a workspace: cloned with the first prompt, synced on request, a worktree beside it, and nothing half after a kill.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { describe, test } from "node:test";
import { chromiumPath, openPage, picture, signIn } from "./lib/browser.mjs";
import { git, makeRepository, ownersHome, startGitServer } from "./lib/git-server.mjs";
import { atEnd, eventually, runDrone, startCodeService, startDrone, startProvider, temporaryFolder } from "./lib/processes.mjs";

const script = (...rounds) => `[[script]] ${JSON.stringify(rounds)}`;
const use = (tool, args) => ({ tool, arguments: args });

/** Passes on to the scripted provider what it is asked, and keeps it. */
async function recorder(t, port) {
  const bodies = [];
  const server = createServer((asked, answer) => {
    const forward = request({ host: "127.0.0.1", port, path: asked.url, method: asked.method, headers: asked.headers }, (got) => {
      answer.writeHead(got.statusCode, got.headers);
      got.pipe(answer);
    });
    forward.on("error", () => answer.destroy());
    let body = "";
    asked.setEncoding("utf8").on("data", (part) => {
      body += part;
      forward.write(part);
    });
    asked.on("end", () => {
      bodies.push(body.replaceAll('\\"', '"'));
      forward.end();
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  atEnd(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return { bodies, url: `http://127.0.0.1:${server.address().port}/v1` };
}

async function everything(t, settings, gitUrl) {
  const provider = await startProvider(t);
  const code = await startCodeService(t);
  const call = await code.signIn();
  const workspace = temporaryFolder(t, "workspace");
  const env = { HOME: ownersHome(t, settings) };
  const drone = await startDrone(t, code, call, workspace, env);
  const { id: providerId } = await call("POST", "/providers", { name: "scripted", type: "openai", baseUrl: provider.openai });
  const project = await call("POST", "/projects", { name: "Shop", gitUrl });
  const session = (more) => call("POST", "/sessions", { projectId: project.id, providerId, model: "demo", approvalPolicy: "auto", ...more });
  const submit = (one, prompt, headers) => call("POST", `/sessions/${one.id}/turns`, { prompt }, headers);
  const state = () => JSON.parse(readFileSync(join(workspace, ".gadget/workspace.json"), "utf8"));
  /** A turn has ended a moment before the drone has let go of it. */
  const free = () => eventually("the workspace is free", () => state().lockedProject === null && state().chatSession === null);
  return { code, call, provider, workspace, env, drone, project, session, submit, state, free };
}

describe("projects", () => {
  test("a project is cloned with the first prompt, worked in, synced, and a session has its worktree beside it", async (t) => {
    const folder = temporaryFolder(t, "remote");
    const remote = makeRepository(folder, "shop", { "a.txt": "one\n" });
    const server = await startGitServer(t, folder);
    const { code, call, workspace, project, session, submit, state, free } = await everything(t, `[http]\n\tsslCAInfo = ${server.certificate}\n`, `${server.url}/shop.git`);
    const one = await session({ name: "one" });
    const first = await submit(
      one,
      script(
        [use("read_file", { path: "a.txt" }), use("run_command", { command: "pwd && git branch --show-current" })],
        [use("write_file", { path: "b.txt", content: "two\n" })],
        "Done.",
      ),
    );
    assert.equal(first.status, "finished", JSON.stringify(first.error));
    const [clone, read, ran] = first.toolCalls;
    assert.equal(clone.name, "clone_project");
    assert.equal(clone.state, "done");
    assert.match(clone.output, /Cloning into|Receiving objects/);
    assert.match(read.response, /one/);
    assert.match(ran.response, new RegExp(`${workspace}/shop\nmain`));
    assert.equal(readFileSync(join(workspace, "shop/b.txt"), "utf8"), "two\n");
    assert.deepEqual(first.files.files.map((file) => file.path), ["shop/b.txt"]);
    await free();
    assert.equal(state().projects.length, 1);
    assert.equal(state().projects[0].slug, "shop");
    assert.equal(state().projects[0].id, project.id);

    const two = await session({ name: "Mend the cart", worktree: true });
    const second = await submit(two, script([use("run_command", { command: "pwd; git branch --show-current; ls" }), use("write_file", { path: "c.txt", content: "three\n" })], "Done."));
    assert.equal(second.status, "finished", JSON.stringify(second.error));
    const short = two.id.slice(0, 8);
    assert.match(second.toolCalls[0].response, new RegExp(`/.worktrees/shop-${short}\ngadget/${short}-mend-the-cart\n`));
    assert.doesNotMatch(second.toolCalls[0].response, /b\.txt/);
    assert.ok(existsSync(join(workspace, `.worktrees/shop-${short}/c.txt`)));
    assert.ok(!existsSync(join(workspace, "shop/c.txt")));
    await free();
    await call("POST", `/turns/${second.id}/undo`, {});
    assert.ok(!existsSync(join(workspace, `.worktrees/shop-${short}/c.txt`)));

    remote.commit("d.txt", "four\n");
    const before = await call("GET", `/sessions/${one.id}/project`);
    assert.equal(before.state.branch, "main");
    assert.equal(before.state.dirty, true);
    assert.equal(before.state.lastSyncAt, undefined);
    const synced = await call("POST", `/sessions/${one.id}/project/sync`);
    assert.equal(synced.state.note, "main went forward by 1 commit.");
    assert.equal(readFileSync(join(workspace, "shop/d.txt"), "utf8"), "four\n");
    assert.ok(state().projects[0].lastSyncAt);
    const beside = await call("GET", `/sessions/${two.id}/project`);
    assert.equal(beside.state.branch, `gadget/${short}-mend-the-cart`);
    assert.equal(beside.state.behind, 1);

    if (!chromiumPath) return;
    remote.commit("e.txt", "five\n");
    const page = await openPage(t, { url: code.url, width: 1280, height: 800 });
    await signIn(page, code.email, code.password);
    await page.goto(`${code.url}/sessions/${one.id}`);
    await page.getByTestId("project-badge").getByText("main •", { exact: true }).waitFor();
    await page.locator('[data-tool-name="clone_project"]').waitFor();
    await page.getByTestId("project-sync").click();
    await page.getByTestId("project-note").getByText("main went forward by 1 commit.").waitFor();
    await picture(page, "project");
    assert.ok(existsSync(join(workspace, "shop/e.txt")));
  });

  test("Files, Changes and @ are about the worktree that the session works in", { skip: !chromiumPath && "no Chromium is installed (package 'chromium')" }, async (t) => {
    const folder = temporaryFolder(t, "remote");
    makeRepository(folder, "shop", { "src/Till.java": "class Till {}\n", "a.txt": "one\n" });
    const server = await startGitServer(t, folder);
    const settings = `[http]\n\tsslCAInfo = ${server.certificate}\n[user]\n\tname = Ada\n\temail = ada@example.org\n`;
    const { code, call, workspace, provider, session, submit, free } = await everything(t, settings, `${server.url}/shop.git`);
    const told = await recorder(t, provider.port);
    const { id: providerId } = await call("POST", "/providers", { name: "recorded", type: "openai", baseUrl: told.url });
    const one = await session({ name: "one" });
    assert.equal((await submit(one, script([use("write_file", { path: "mine.txt", content: "mine\n" })], "Done."))).status, "finished");
    await free();
    const two = await session({ name: "two", worktree: true, providerId });
    const place = join(workspace, `.worktrees/shop-${two.id.slice(0, 8)}`);
    assert.equal((await submit(two, script("Ready."))).status, "finished");
    await free();

    const page = await openPage(t, { url: code.url, width: 1280, height: 800 });
    await signIn(page, code.email, code.password);
    await page.goto(`${code.url}/sessions/${two.id}`);
    const item = (path) => page.locator(`[data-testid="tree-item"][data-path="${path}"]`);
    const content = page.getByTestId("code").locator(".cm-content");
    await page.getByTestId("panel-toggle").click();
    await item("a.txt").waitFor();
    assert.equal(await item("mine.txt").count(), 0, "what the other session wrote is in the other checkout");
    await item("src").click();
    await item("src/Till.java").click();
    await content.getByText("class Till").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" // counts");
    await page.keyboard.press("Control+s");
    await eventually("the worktree has it", () => readFileSync(join(place, "src/Till.java"), "utf8").includes("// counts"));
    assert.equal(readFileSync(join(workspace, "shop/src/Till.java"), "utf8"), "class Till {}\n");
    await picture(page, "worktree-files");

    const box = page.getByTestId("prompt-input");
    await box.click();
    await box.pressSequentially(`${script("I see.")} @src/`);
    await page.getByTestId("mentions").getByText("Till.java").click();
    await page.getByTestId("prompt-send").click();
    await eventually("the agent was given the file", () => told.bodies.some((body) => body.includes("<mentioned file=") && body.includes("class Till {} // counts")));
    await free();

    await page.getByTestId("panel-tab-changes").click();
    const changes = page.getByTestId("change-item");
    await changes.first().waitFor();
    assert.deepEqual(await changes.evaluateAll((rows) => rows.map((row) => row.dataset.path)), ["src/Till.java"]);
    await picture(page, "worktree-changes");
    await page.getByTestId("commit-message").fill("Count");
    await page.getByTestId("commit").click();
    await page.getByText("Committed as").waitFor();
    assert.equal(git(place, "log", "-1", "--format=%an %s"), "Ada Count");
    assert.equal(git(join(workspace, "shop"), "log", "-1", "--format=%s", "main"), "first");
  });

  test("a sync is refused while a turn runs, and a clone that fails says why", async (t) => {
    const folder = temporaryFolder(t, "remote");
    makeRepository(folder, "shop", { "a.txt": "one\n" });
    const server = await startGitServer(t, folder);
    const { call, project, session, submit, state } = await everything(t, `[http]\n\tsslCAInfo = ${server.certificate}\n`, `${server.url}/none.git`);
    const one = await session({});
    const failed = await submit(one, script("never"));
    assert.equal(failed.status, "failed");
    assert.equal(failed.error.code, "git_failed");
    assert.match(failed.error.message, /not found[\s\S]*git clone https/);
    await call("PATCH", `/projects/${project.id}`, { gitUrl: `${server.url}/shop.git` });
    const running = await submit(one, script([use("run_command", { command: "sleep 30" })], "Done."), { prefer: "respond-async" });
    await eventually("the command runs", async () => (await call("GET", `/turns/${running.turnId}`)).blocks.some((block) => block.content.name === "run_command" && block.content.state === "running"));
    assert.equal(state().lockedProject.slug, "shop");
    assert.equal(state().chatSession.id, one.id);
    await assert.rejects(call("POST", `/sessions/${one.id}/project/sync`), { status: 503 });
    assert.equal((await call("GET", `/sessions/${one.id}/project`)).state.branch, "main");
    await call("POST", `/turns/${running.turnId}/cancel`);
  });

  test("a deleted session takes its worktree with it, also one whose drone was away; its branch stays", async (t) => {
    const folder = temporaryFolder(t, "remote");
    makeRepository(folder, "shop", { "a.txt": "one\n" });
    const server = await startGitServer(t, folder);
    const { code, call, workspace, env, drone, session, submit, free } = await everything(t, `[http]\n\tsslCAInfo = ${server.certificate}\n`, `${server.url}/shop.git`);
    const one = await session({ name: "cart", worktree: true });
    const two = await session({ name: "till", worktree: true });
    for (const each of [one, two]) {
      const turn = await submit(each, script([use("read_file", { path: "a.txt" })], "Done."));
      assert.equal(turn.status, "finished", JSON.stringify(turn.error));
      await free();
    }
    const place = (each) => join(workspace, `.worktrees/shop-${each.id.slice(0, 8)}`);
    assert.ok(existsSync(place(one)) && existsSync(place(two)));
    await call("DELETE", `/sessions/${one.id}`);
    await eventually("the worktree is gone", () => !existsSync(place(one)));
    await drone.kill();
    await call("DELETE", `/sessions/${two.id}`);
    assert.ok(existsSync(place(two)));
    await runDrone(t, code, call, workspace, env);
    await eventually("the other one is gone, too", () => !existsSync(place(two)));
    assert.match(git(join(workspace, "shop"), "branch", "--list"), /gadget\/\w+-till/);
  });

  test("a kill in the middle of a clone leaves nothing half, and the turn goes on after it", async (t) => {
    const folder = temporaryFolder(t, "remote");
    makeRepository(folder, "shop", { "big.bin": randomBytes(4 << 20), "a.txt": "one\n" });
    let release;
    let held;
    const reached = new Promise((done) => {
      held = done;
    });
    const gate = new Promise((done) => {
      release = done;
    });
    const server = await startGitServer(t, folder, () => {
      held();
      return gate;
    });
    const { code, call, workspace, env, drone, session, submit } = await everything(t, `[http]\n\tsslCAInfo = ${server.certificate}\n`, `${server.url}/shop.git`);
    const one = await session({});
    const { turnId } = await submit(one, script([use("read_file", { path: "a.txt" })], "Done."), { prefer: "respond-async" });
    await reached;
    await eventually("the clone is seen", async () => (await call("GET", `/turns/${turnId}`)).blocks.some((block) => block.content.name === "clone_project" && block.content.state === "running"));
    await drone.kill();
    assert.deepEqual(readdirSync(workspace), [".gadget"]);
    release();
    await runDrone(t, code, call, workspace, env).catch(() => {});
    const turn = await eventually("the turn ends", async () => {
      const now = await call("GET", `/turns/${turnId}`);
      return now.status === "finished" && now;
    });
    const clones = turn.blocks.filter((block) => block.content.name === "clone_project");
    assert.equal(clones.length, 1);
    assert.equal(clones[0].content.state, "done");
    assert.ok(!clones[0].superseded);
    assert.equal(git(join(workspace, "shop"), "status", "--short", "--branch"), "## main...origin/main");
    assert.equal(git(join(workspace, "shop"), "fsck"), "");
    assert.deepEqual(readdirSync(join(workspace, ".gadget/clones")), []);
  });

  test("ssh is the owner's own, and asks nobody", async (t) => {
    const folder = temporaryFolder(t, "remote");
    makeRepository(folder, "shop", { "a.txt": "one\n" });
    const [fake, log] = [join(folder, "ssh"), join(folder, "log")];
    writeFileSync(fake, `#!/bin/sh\nprintf '%s\\n' "$@" >> ${log}\nfor last; do :; done\nexec sh -c "$last"\n`);
    chmodSync(fake, 0o755);
    const { session, submit, workspace } = await everything(t, `[core]\n\tsshCommand = ${fake}\n[safe]\n\tdirectory = *\n`, `git@git.example.org:${folder}/shop.git`);
    const turn = await submit(await session({}), script([use("read_file", { path: "a.txt" })], "Done."));
    assert.equal(turn.status, "finished", JSON.stringify(turn.error));
    assert.ok(existsSync(join(workspace, "shop/a.txt")));
    const said = readFileSync(log, "utf8").split("\n");
    assert.ok(said.includes("-oBatchMode=yes"), said.join(" "));
    assert.ok(said.includes("git@git.example.org"));
  });
});
