// A session with a drone, and the ways to what can be looked at of its turns.
import { openPage, signIn } from "./browser.mjs";
import { eventually, makeSession, startCodeService, startDrone, startProvider, temporaryFolder } from "./processes.mjs";

/** Everything that runs, a session, and how prompts are sent in it and waited for. */
export async function withSession(t, wanted = {}) {
  const provider = await startProvider(t);
  const code = await startCodeService(t);
  const call = await code.signIn();
  const workspace = temporaryFolder(t, "workspace");
  await startDrone(t, code, call, workspace, { GADGET_SANDBOX: "off" });
  const session = await makeSession(call, { baseUrl: provider.openai, name: "Keep a shop", approvalPolicy: "auto", ...wanted });
  const submit = (prompt) => call("POST", `/sessions/${session.id}/turns`, { prompt }, { prefer: "respond-async" });
  const ended = (turnId) =>
    eventually("the turn ends", async () => {
      const turn = await call("GET", `/turns/${turnId}`);
      return turn.finishedAt && turn;
    }, { seconds: 60 });
  const run = async (prompt) => ended((await submit(prompt)).turnId);
  return { code, call, workspace, session, submit, ended, run };
}

/** A page that shows the session. */
export async function openedSession(t, { code, session }, options) {
  const page = await openPage(t, { url: code.url, ...options });
  await signIn(page, code.email, code.password);
  await page.goto(`${code.url}/sessions/${session.id}`);
  await page.getByTestId("prompt-input").waitFor();
  return page;
}

/** What the menu of the last turn offers. */
export async function fromMenu(page, what) {
  await page.getByRole("button", { name: "More of this turn" }).last().click();
  await page.getByRole("menuitem", { name: what }).click();
}

/** What the palette finds first. */
export async function fromPalette(page, words) {
  await page.keyboard.press("Control+k");
  await page.getByTestId("palette-input").fill(words);
  await page.getByTestId("palette-row").first().waitFor();
  await page.keyboard.press("Enter");
}
