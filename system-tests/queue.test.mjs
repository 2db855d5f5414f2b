// Prompts that wait while a turn runs: from the page, over a killed service, to their own turns.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { chromiumPath, openPage, picture, signIn } from "./lib/browser.mjs";
import { command, eventually, makeSession, start, startCodeService, startDrone, startProvider, temporaryFolder } from "./lib/processes.mjs";

const LONG = "[[lorem tokens=600 thinking=0 rate=60]]";
const ENDLESS = "[[lorem tokens=20000 thinking=0 rate=60]]";

async function everything(t) {
  const provider = await startProvider(t);
  const code = await startCodeService(t);
  const call = await code.signIn();
  const workspace = temporaryFolder(t, "workspace");
  const rig = { drone: await startDrone(t, code, call, workspace) };
  rig.restart = () => {
    rig.drone = start(t, "drone", [...command("drone"), "run", "--workspace", workspace, "--server", code.url]);
  };
  const session = await makeSession(call, { baseUrl: provider.openai, whenBusy: "queue" });
  const submit = (prompt) => call("POST", `/sessions/${session.id}/turns`, { prompt }, { prefer: "respond-async" });
  return { rig, code, call, session, submit };
}

const SHORT = "[[lorem tokens=200 thinking=0 rate=60]]";
const modes = (turn) => turn.blocks.filter((block) => !block.superseded).map((block) => block.mode);

const prompts = async (call, session) =>
  (await call("GET", `/sessions/${session.id}`)).turns.map((turn) => `${turn.prompt.split(" ")[0]} ${turn.status}`);

describe("prompts that wait", () => {
  test("survive a kill of the service, and begin in their order when it is back", async (t) => {
    const { code, call, session, submit } = await everything(t);
    await submit(LONG);
    await submit("[[plain]] two");
    await submit("[[plain]] three");
    code.program.kill();
    await code.program.exited;
    await code.start();
    const again = await code.signIn();
    await eventually(
      "all three have ended",
      async () => (await prompts(again, session)).every((one) => one.endsWith(" finished")),
      { seconds: 60 },
    );
    const { turns } = await again("GET", `/sessions/${session.id}`);
    assert.deepEqual(turns.map((turn) => turn.prompt), [LONG, "[[plain]] two", "[[plain]] three"]);
    const ended = turns.map((turn) => Date.parse(turn.finishedAt));
    assert.deepEqual(ended, ended.toSorted((a, b) => a - b), "one after the other");
  });

  test("that were sent into the turn that runs are in it once when its drone is killed after it took them", async (t) => {
    const { rig, call, session, submit } = await everything(t);
    const { turnId } = await submit(SHORT);
    const second = await submit("[[lorem tokens=400 thinking=0 rate=60]] two");
    await call("POST", `/turns/${second.turnId}/steer`);
    await eventually("it is in the turn, and the model goes on from it", async () => {
      const { blocks } = await call("GET", `/turns/${turnId}`);
      return blocks.at(-2)?.mode === "prompt";
    }, { seconds: 60, programs: [rig.drone] });
    await rig.drone.kill("SIGKILL");
    rig.restart();
    const turn = await eventually("the turn ends", async () => {
      const now = await call("GET", `/turns/${turnId}`);
      return now.status === "finished" && now;
    }, { seconds: 120, programs: [rig.drone] });
    assert.deepEqual(modes(turn), ["responding", "prompt", "responding"]);
    assert.deepEqual((await call("GET", `/sessions/${session.id}`)).turns.map((one) => one.id), [turnId]);
  });

  test("that were sent into the turn that runs begin by themselves when its drone is killed before it took them", async (t) => {
    const { rig, call, session, submit } = await everything(t);
    const { turnId } = await submit(LONG);
    const second = await submit("[[plain]] two");
    await eventually("the model speaks", async () => (await call("GET", `/turns/${turnId}`)).blocks.length > 0);
    await call("POST", `/turns/${second.turnId}/steer`);
    await rig.drone.kill("SIGKILL");
    rig.restart();
    await eventually("both have ended", async () => (await prompts(call, session)).every((one) => one.endsWith(" finished")), { seconds: 120, programs: [rig.drone] });
    const { turns } = await call("GET", `/sessions/${session.id}`);
    assert.deepEqual(turns.map((turn) => turn.id), [turnId, second.turnId]);
    assert.deepEqual(turns.map(modes), [["responding"], ["responding"]]);
  });

  test("go into the turn that runs from the page, and stand in it where they were said", { skip: !chromiumPath && "no Chromium is installed" }, async (t) => {
    const { code, call, session } = await everything(t);
    const page = await openPage(t, { url: code.url });
    await signIn(page, code.email, code.password);
    await page.goto(`${code.url}/sessions/${session.id}`);
    await page.getByTestId("prompt-input").fill(SHORT);
    await page.getByTestId("prompt-send").click();
    await page.getByTestId("stop-turn").waitFor();
    await page.getByTestId("prompt-input").fill("[[plain]] two");
    await page.getByTestId("prompt-send").click();
    const waiting = page.getByTestId("waiting-prompts").locator("li");
    await waiting.getByRole("button", { name: "Send this prompt now" }).click();
    await page.getByText("The turn takes it at its next step").waitFor();
    await picture(page, "steer");
    await eventually("nothing waits", async () => (await waiting.count()) === 0);
    await page.getByText("[[plain]] two").waitFor();
    await eventually("the turn has ended", async () => (await prompts(call, session)).every((one) => one.endsWith(" finished")));
    const { turns } = await call("GET", `/sessions/${session.id}`);
    assert.deepEqual(turns.map(modes), [["responding", "prompt", "responding"]]);
    assert.equal(await page.getByRole("article").count(), 1);
    await picture(page, "steered");
    assert.deepEqual(page.problems, []);
  });

  test("are shown, changed and taken back in the page", { skip: !chromiumPath && "no Chromium is installed" }, async (t) => {
    const { code, call, session } = await everything(t);
    const page = await openPage(t, { url: code.url });
    await signIn(page, code.email, code.password);
    await page.goto(`${code.url}/sessions/${session.id}`);
    const send = async (prompt) => {
      await page.getByTestId("prompt-input").fill(prompt);
      await page.getByTestId("prompt-send").click();
    };
    await send(ENDLESS);
    await page.getByTestId("stop-turn").waitFor();
    await send("[[plain]] two");
    const waiting = page.getByTestId("waiting-prompts").locator("li");
    await eventually("one waits", async () => (await waiting.count()) === 1);
    await send("[[plain]] three");
    await eventually("two wait", async () => (await waiting.count()) === 2);
    await picture(page, "queue");

    await waiting.nth(0).getByRole("button", { name: "Change this prompt" }).click();
    const words = page.getByRole("textbox", { name: "Words of the prompt" });
    await words.fill("[[plain]] deux");
    await picture(page, "queue-edit");
    await words.press("Enter");
    await eventually("the new words are shown", async () => (await waiting.nth(0).textContent()).includes("deux"));
    await waiting.nth(1).getByRole("button", { name: "Remove this prompt" }).click();
    await eventually("one is gone", async () => (await waiting.count()) === 1);

    await page.getByTestId("stop-turn").click();
    await eventually("the one that waited has been worked on", async () => {
      const turns = await prompts(call, session);
      return turns.length === 2 && turns[1] === "[[plain]] finished";
    });
    await eventually("nothing waits", async () => (await waiting.count()) === 0);
    await page.getByText("[[plain]] deux").waitFor();
    assert.deepEqual(page.problems, []);
  });
});
