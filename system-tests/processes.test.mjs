// What an agent leaves running, in a real browser: seen after the turn, read while it prints, and ended by one click.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { chromiumPath, openPage, picture, signIn, usable } from "./lib/browser.mjs";
import { eventually, freePort, makeSession, startCodeService, startDrone, startProvider, temporaryFolder } from "./lib/processes.mjs";

const script = (...rounds) => `[[script]] ${JSON.stringify(rounds)}`;
const use = (tool, args) => ({ tool, arguments: args });

async function begin(t) {
  const provider = await startProvider(t);
  const code = await startCodeService(t);
  const call = await code.signIn();
  const workspace = temporaryFolder(t, "workspace");
  // The test asks the server that the agent starts, so that it stands in the machine's own network.
  const drone = await startDrone(t, code, call, workspace, { GADGET_SANDBOX: "off" });
  const session = await makeSession(call, { baseUrl: provider.openai, approvalPolicy: "auto" });
  const submit = (prompt, to = session) => call("POST", `/sessions/${to.id}/turns`, { prompt });
  return { provider, code, call, session, submit, drone };
}

const answers = (port) =>
  fetch(`http://127.0.0.1:${port}/`).then(
    (response) => response.ok,
    () => false,
  );

describe("what runs in the background", { skip: !chromiumPath && "no Chromium is installed" }, () => {
  test("a server goes on after the turn, is seen and read in the page, and ends by one click", async (t) => {
    const { provider, code, call, session, submit } = await begin(t);
    const port = await freePort();
    const turn = await submit(
      script(
        [use("start_process", { command: `python3 -u -m http.server --bind 127.0.0.1 ${port}` })],
        [use("start_process", { command: "echo compiling; echo 'make: *** [test] Error 2' >&2; exit 2" })],
        "The server runs.",
      ),
    );
    assert.equal(turn.status, "finished", JSON.stringify(turn.error));
    await eventually("the server answers", () => answers(port));

    const page = await openPage(t, { url: code.url, width: 1280, height: 900 });
    await signIn(page, code.email, code.password);
    await page.goto(`${code.url}/sessions/${session.id}`);
    await page.getByTestId("running-badge").click();
    const [first, second] = (await call("GET", `/sessions/${session.id}/processes`)).items.map((one) => one.id);
    const server = page.locator(`[data-process="${first}"]`);
    await server.waitFor();
    assert.match(await page.locator(`[data-process="${second}"]`).innerText(), /ended with exit code 2/);
    await server.getByRole("button", { name: "http.server" }).first().click();
    await page.getByTestId("process-output").getByText("Serving HTTP on").waitFor();
    await answers(port);
    await page.getByTestId("process-output").getByText('"GET / HTTP/1.1" 200').first().waitFor();
    await picture(page, "processes-light");
    await page.emulateMedia({ colorScheme: "dark" });
    await picture(page, "processes-dark");
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 360, height: 740 });
    await usable(page, "what runs in the background, narrow");
    await picture(page, "processes-narrow");
    await page.getByRole("button", { name: "Close the panel" }).click();
    await page.getByTestId("running-badge").waitFor();
    await picture(page, "processes-narrow-head");
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByTestId("running-badge").click();

    // Another session of the same drone neither sees it nor reaches it.
    const other = await makeSession(call, { baseUrl: provider.openai, approvalPolicy: "auto", workspaceId: (await call("GET", "/drones")).items[0].workspaceId });
    const reach = await submit(script([use("stop_process", { process: first })], "Tried."), other);
    assert.ok(reach.toolCalls[0].response.includes(`There is no process \`${first}\`. None runs.`));
    assert.deepEqual((await call("GET", `/sessions/${other.id}/processes`)).items, []);
    assert.ok(await answers(port));

    await server.getByTestId("process-stop").click();
    await page.locator(`[data-process="${first}"][data-status="stopped"]`).waitFor();
    await eventually("the server is gone", async () => !(await answers(port)));
    await eventually("the head counts nothing", async () => (await page.getByTestId("running-badge").count()) === 0);
    await picture(page, "processes-stopped");
    const told = await submit(script([use("read_process", { process: first })], "I see."));
    assert.match(told.toolCalls[0].response, /^The person stopped it\.[^]*GET \/ HTTP/);
  });

  test("what a session left running ends when it is put away, and when it is deleted", async (t) => {
    const { provider, call, session, submit } = await begin(t);
    const first = await freePort();
    const serve = (port) => script([use("start_process", { command: `python3 -m http.server --bind 127.0.0.1 ${port}` })], "Started.");
    await submit(serve(first));
    await eventually("the first server answers", () => answers(first));
    await call("PATCH", `/sessions/${session.id}`, { archived: true });
    await eventually("the first server is gone", async () => !(await answers(first)));

    const other = await makeSession(call, { baseUrl: provider.openai, approvalPolicy: "auto" });
    const second = await freePort();
    await submit(serve(second), other);
    await eventually("the second server answers", () => answers(second));
    await call("DELETE", `/sessions/${other.id}`);
    await eventually("the second server is gone", async () => !(await answers(second)));
  });

  test("one command that hangs is stopped by its own button, with the keyboard, and the turn goes on", async (t) => {
    const { code, call, session } = await begin(t);
    const page = await openPage(t, { url: code.url, width: 1280, height: 900 });
    await signIn(page, code.email, code.password);
    await page.goto(`${code.url}/sessions/${session.id}`);
    const { turnId } = await call(
      "POST",
      `/sessions/${session.id}/turns`,
      { prompt: script([use("run_command", { command: "echo begun; sleep 600" })], [use("run_command", { command: "echo next" })], "Went on.") },
      { prefer: "respond-async" },
    );
    const stop = page.getByTestId("call-stop");
    await stop.waitFor();
    await picture(page, "stop-call");
    await page.setViewportSize({ width: 360, height: 740 });
    await picture(page, "stop-call-narrow");
    await page.emulateMedia({ colorScheme: "dark" });
    await picture(page, "stop-call-dark");
    await stop.focus();
    await page.keyboard.press("Enter");
    await page.getByText("Went on.", { exact: true }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.closest("[data-testid=block-tool]")?.dataset.state), "failed", "who stopped it is on its line");
    const turn = await eventually("the turn is over", async () => {
      const now = await call("GET", `/turns/${turnId}`);
      return now.status === "finished" && now;
    });
    const calls = turn.blocks.filter((block) => block.mode === "tool").map((block) => block.content);
    assert.equal(calls[0].state, "failed");
    assert.match(calls[0].response, /^Stopped by the person\. Its output until then:\nbegun\n[^]*the turn goes on/);
    assert.match(calls[1].response, /^Exit code 0\.\nnext/);
  });
});
