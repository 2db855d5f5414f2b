// What can be looked at afterwards: a turn played as it happened.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { chromiumPath, shownBlocks, usable } from "./lib/browser.mjs";
import { fromMenu, fromPalette, openedSession, withSession } from "./lib/looking.mjs";
import { eventually } from "./lib/processes.mjs";

const SCRIPT = `[[script rate=60]] ${JSON.stringify([
  [{ tool: "write_file", arguments: { path: "goods.md", content: "# Goods\n\n- apples\n- pears\n" } }],
  [{ tool: "edit_file", arguments: { path: "goods.md", old_string: "- apples\n- pears", new_string: "- apples\n- plums\n- pears" } }],
  [{ tool: "run_command", arguments: { command: "sleep 1; wc -l goods.md; echo counted > count.txt" } }],
  { thinking: "The goods are counted now, and so I say what is in the list afterwards.", text: "The list has **three** goods; their number is in `count.txt`." },
])}`;

describe("looking back", { skip: !chromiumPath && "no Chromium is installed (package 'chromium')" }, () => {
  test("S0-29: a turn is played as it happened, by keys, with the files as its calls changed them", async (t) => {
    const it = await withSession(t);
    const turn = await it.run(SCRIPT);
    assert.equal(turn.status, "finished", JSON.stringify(turn.error));
    const page = await openedSession(t, it);
    const replay = page.getByTestId("replay");
    const number = async (name) => Number(await replay.getAttribute(`data-${name}`));
    const slider = page.getByRole("slider", { name: "Place in the turn" });
    const files = page.getByTestId("replay-files");
    const pause = async () => {
      if ((await replay.getAttribute("data-playing")) === "true") await page.keyboard.press(" ");
      await page.locator('[data-testid="replay"][data-playing="false"]').waitFor();
    };
    const shown = async () => (await shownBlocks(page)).slice(turn.blocks.length);

    await fromMenu(page, "Replay");
    await replay.waitFor();
    await eventually("it plays by itself", async () => (await number("at")) > 0);
    await pause();
    await page.getByRole("button", { name: "8×" }).click();
    assert.equal(await page.getByRole("button", { name: "8×" }).getAttribute("aria-pressed"), "true");

    // From one thing that happened to the next, to the end.
    await slider.focus();
    await page.keyboard.press("Home");
    assert.deepEqual(await shown(), []);
    const states = new Set();
    let edited;
    let counted;
    let thought;
    for (let step = 0; (await number("at")) < (await number("length")); step += 1) {
      assert.ok(step < 60, "the end is reached");
      await page.keyboard.press("ArrowRight");
      const blocks = await shown();
      for (const block of blocks) if (block.mode === "tool") states.add(`${block.tool} ${block.state}`);
      thought ??= blocks.at(-1)?.mode === "thinking" ? blocks.at(-1).text : undefined;
      const text = await files.textContent();
      if (text.includes("plums") && text.includes("so far")) edited ??= text;
      if (text.includes("count.txt") && text.includes("so far")) counted ??= text;
    }
    assert.doesNotMatch(thought, /afterwards/, "a thought that begins is not told before it was thought");
    const { createdAt, content } = turn.blocks.find((block) => block.content.name === "write_file");
    // A call that runs in the moment in which it came is never seen to wait.
    const queued = Date.parse(content.startedAt) > Date.parse(createdAt) ? ["write_file queued"] : [];
    for (const one of [...queued, "run_command running", "run_command done"]) assert.ok(states.has(one), `${one} in ${[...states]}`);
    assert.match(edited, /goods\.md/);
    assert.doesNotMatch(edited, /count\.txt/, "what a command changes is not said before it has done it");
    assert.match(counted, /count\.txtby run_command.*added: counted/s, "and then it is");
    assert.deepEqual((await shown()).map(({ mode, index, state }) => [mode, index, state]), (await shownBlocks(page)).slice(0, turn.blocks.length).map(({ mode, index, state }) => [mode, index, state]));
    assert.match(await files.textContent(), /count\.txt/, "at the end it is the diff of the whole turn");

    // Space plays it again from the beginning, to the end.
    await page.keyboard.press(" ");
    await page.locator('[data-testid="replay"][data-playing="true"]').waitFor();
    await eventually("it plays to its end", async () => (await number("at")) === (await number("length")), { seconds: 60 });
    await page.locator('[data-testid="replay"][data-playing="false"]').waitFor();
    const whole = await number("length");
    await page.getByRole("checkbox", { name: "Shorten pauses" }).check();
    assert.ok((await number("length")) <= whole);
    await page.keyboard.press("Escape");
    await replay.waitFor({ state: "detached" });

    await fromPalette(page, "replay the last");
    await replay.waitFor();
    await eventually("Play has the focus", () => page.evaluate(() => document.activeElement?.dataset.testid === "replay-play"));
    await page.keyboard.press("Escape");
    await replay.waitFor({ state: "detached" });
    assert.deepEqual(page.problems, []);
  });

  test("the replay can be used by everybody: light and dark, wide and narrow, and with things standing still", async (t) => {
    const it = await withSession(t);
    await it.run(SCRIPT);
    const found = [];
    for (const [colorScheme, width, height] of [["light", 1280, 800], ["dark", 1280, 800], ["light", 360, 740], ["dark", 1800, 1000]]) {
      const page = await openedSession(t, it, { colorScheme, width, height });
      await page.emulateMedia({ reducedMotion: "reduce" });
      await fromPalette(page, "replay the last");
      const replay = page.getByTestId("replay");
      await replay.waitFor();
      assert.equal(await replay.getAttribute("data-playing"), "false", "nothing moves by itself");
      const slider = page.getByRole("slider", { name: "Place in the turn" });
      await slider.focus();
      await page.keyboard.press("End");
      for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowLeft");
      found.push(...(await usable(page, `replay ${colorScheme} ${width}`)));
      if (width < 1000) {
        await page.getByRole("button", { name: /^Files/ }).click();
        found.push(...(await usable(page, `replay files ${colorScheme} ${width}`)));
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `the page is ${overflow} px too wide`);
      await page.context().browser().close();
    }
    assert.deepEqual(found, []);
  });
});
