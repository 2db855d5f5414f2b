// Figures of turns and sessions as plots, and what administrators see: who did what, and how the service is.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { chromiumPath, openPage, signIn, usable } from "./lib/browser.mjs";
import { fromPalette, openedSession, withSession } from "./lib/looking.mjs";
import { eventually } from "./lib/processes.mjs";

const script = (...rounds) => `[[script rate=200]] ${JSON.stringify(rounds)}`;
const COUNT = script(
  [{ tool: "write_file", arguments: { path: "a.txt", content: "one\ntwo\n" } }],
  [{ tool: "run_command", arguments: { command: "sleep 1; wc -l a.txt" } }],
  [{ tool: "read_file", arguments: { path: "missing.txt" } }],
  { thinking: "Two lines, then, and one file that is not there at all.", text: "There are two lines in a.txt." },
);
const SIZES = [["light", 1280, 900], ["dark", 1280, 900], ["light", 360, 740], ["dark", 1800, 1000]];

/** Opens a page of each kind, and gives what keeps people from using what is then shown. */
async function everywhere(t, it, open) {
  const found = [];
  for (const [colorScheme, width, height] of SIZES) {
    const page = await openedSession(t, it, { colorScheme, width, height });
    found.push(...(await open(page, (what) => usable(page, `${what} ${colorScheme} ${width}`))));
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} px too wide`);
    assert.deepEqual(page.problems, []);
    await page.context().browser().close();
  }
  return found;
}

describe("figures", { skip: !chromiumPath && "no Chromium is installed (package 'chromium')" }, () => {
  test("S0-30: where time and tokens of a turn and of a session went, with the time that a person took", async (t) => {
    const it = await withSession(t, { approvalPolicy: "auto_edit", rules: [{ action: "ask", tool: "run_command" }] });
    const { turnId } = await it.submit(COUNT);
    const asked = await eventually("it asks", async () => {
      const turn = await it.call("GET", `/turns/${turnId}`);
      return turn.toolCalls.find((call) => call.state === "awaiting_approval");
    }, { seconds: 60 });
    await it.call("POST", `/turns/${turnId}/approvals/${asked.callId}`, { decision: "approve", shown: asked.approval.shown });
    assert.equal((await it.ended(turnId)).status, "finished");
    await it.run("[[plain]]");

    const { turn, timeline, rounds, tools } = await it.call("GET", `/turns/${turnId}/analytics`);
    assert.equal(Object.values(turn.times).reduce((one, other) => one + other), turn.millis, "every moment is one activity's");
    assert.equal(timeline.reduce((sum, one) => sum + one.millis, 0), turn.millis);
    assert.ok(turn.times.person > 0 && turn.times.tool >= 900, JSON.stringify(turn.times));
    assert.equal(rounds.reduce((sum, one) => sum + one.inputTokens, 0), turn.usage.inputTokens);
    assert.deepEqual(rounds.map((one) => one.round), [1, 2, 3, 4]);
    assert.deepEqual(tools.map(({ name, calls, failed }) => [name, calls, failed]).sort(), [["read_file", 1, 1], ["run_command", 1, 0], ["write_file", 1, 0]]);

    const found = await everywhere(t, it, async (page, look) => {
      await page.getByRole("button", { name: "More of this turn" }).first().click();
      await page.getByRole("menuitem", { name: "Figures of this turn" }).click();
      await page.getByTestId("turn-figures").waitFor();
      assert.match(await page.getByTestId("time-shares").textContent(), /Waiting for a person/);
      assert.equal(await page.getByRole("dialog").getByRole("img").count(), 2);
      const first = await look("turn figures");
      await page.getByText("As a table").first().click();
      await page.getByRole("cell", { name: "Waiting for a person: run_command" }).waitFor();
      await page.getByText("As a table").first().click();
      await page.keyboard.press("Escape");
      await page.getByTestId("turn-figures").waitFor({ state: "detached" });

      await fromPalette(page, "figures of this session");
      await page.getByTestId("session-figures").waitFor();
      const second = await look("session figures");
      await page.getByRole("button", { name: /^Turn 2/ }).click();
      await page.getByTestId("turn-figures").waitFor();
      await page.keyboard.press("Escape");
      return [...first, ...second];
    });
    assert.deepEqual(found, []);
  });

  test("administrators see who did what and how the service is, and nobody else does", async (t) => {
    const it = await withSession(t);
    const member = { email: "member@example.org", password: "a password of hers", name: "Grace", role: "member" };
    await it.call("POST", "/users", member);
    await fetch(`${it.code.url}/api/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: member.email, password: "not hers" }),
    });
    await it.call("POST", "/tokens", { name: "for the build" });

    const found = await everywhere(t, it, async (page, look) => {
      const entry = (kind) => page.locator(`[data-testid="audit-entry"][data-kind="${kind}"]`);
      await page.goto(`${it.code.url}/settings/audit`);
      await entry("sign_in_refused").filter({ hasText: member.email }).first().waitFor();
      assert.match(await entry("sign_in_refused").first().textContent(), /member@example\.org.*127\.0\.0\.1/);
      assert.match(await entry("token_created").first().textContent(), /admin@localhost.*for the build/);
      assert.match(await entry("user_created").first().textContent(), /role member.*member@example\.org/);
      assert.doesNotMatch(await page.getByTestId("audit").textContent(), /not hers|a password/);
      const first = await look("audit");
      await page.getByLabel("What").selectOption({ label: "Drone enrolled" });
      await entry("drone_enrolled").waitFor();
      await eventually("only such entries", async () => (await page.getByTestId("audit-entry").count()) === 1);

      await page.goto(`${it.code.url}/settings/system`);
      await page.getByTestId("system-drone").waitFor();
      assert.match(await page.getByTestId("system").textContent(), /Embedded, in the data directory/);
      await page.getByTestId("saved").getByText("all stored").waitFor();
      await eventually("the drone told how busy its machine is", async () =>
        /processor/.test(await page.getByTestId("system-drone").textContent()), { seconds: 60 });
      await eventually("this page is counted", async () =>
        /Pages, by WebSocket[1-9]/.test(await page.getByRole("region", { name: "Doors in use" }).textContent()), { seconds: 60 });
      const second = await look("system");
      await page.goto(`${it.code.url}/settings/drones`);
      await page.getByText(/processor/).first().waitFor();
      return [...first, ...second];
    });
    assert.deepEqual(found, []);

    const hers = await openPage(t, { url: it.code.url });
    await signIn(hers, member.email, member.password);
    for (const section of ["audit", "system"]) {
      await hers.goto(`${it.code.url}/settings/${section}`);
      await hers.getByRole("navigation", { name: "Settings" }).waitFor();
      assert.equal(await hers.getByRole("link", { name: /Audit|System/ }).count(), 0);
      assert.equal(await hers.evaluate(async (name) => (await fetch(`/api/v1/admin/${name}`)).status, section), 403);
    }
  });
});
