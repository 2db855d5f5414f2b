// npm run picture: makes docs/images/page.png anew, from the real programs with the scripted model.
import { join } from "node:path";
import { test } from "node:test";
import { openPage, signIn } from "./lib/browser.mjs";
import { makeRepository } from "./lib/git-server.mjs";
import { eventually, ROOT, startCodeService, startDrone, startProvider, temporaryFolder } from "./lib/processes.mjs";

const PROMPT = "Look around in this workspace and leave a note of what you found.";

test("the picture of the page", async (t) => {
  const provider = await startProvider(t);
  const code = await startCodeService(t);
  const call = await code.signIn();
  const { tree } = makeRepository(temporaryFolder(t, "picture"), "shop", { "README.md": "# Shop\n", "Cart.java": "class Cart {}\n" });
  await startDrone(t, code, call, tree);
  const { id: providerId } = await call("POST", "/providers", { name: "demo", type: "openai", baseUrl: provider.openai });
  const { id: projectId } = await call("POST", "/projects", { name: "shop" });
  const session = (name) => call("POST", "/sessions", { projectId, providerId, model: "demo", reasoningEffort: "medium", name });
  await session("Translate the invoices");
  await session("Why is the import slow?");
  const { id } = await session("A note about the shop");

  const page = await openPage(t, { url: code.url, width: 1440, height: 900 });
  await signIn(page, code.email, code.password);
  await page.goto(`${code.url}/sessions/${id}`);
  await page.getByTestId("prompt-input").fill(PROMPT);
  await page.getByTestId("prompt-send").click();
  await page.locator('[data-tool-name="edit_file"][data-state="done"]').waitFor({ timeout: 60_000 });
  await page.getByTestId("panel-toggle").click();
  await page.getByTestId("panel-tab-changes").click();
  await page.locator('[data-testid="change-item"] [aria-expanded]').first().click();
  await page.getByTestId("diff").waitFor();
  await page.locator('[data-tool-name="run_command"]').waitFor({ timeout: 60_000 });
  const last = page.getByTestId("block-responding").last();
  await eventually("it answers at length", async () => ((await last.textContent()) ?? "").length > 90);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(ROOT, "docs/images/page.png") });
});
