// Debian's Chromium, driven by playwright-core; every test gets a fresh profile.
import { existsSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { chromium } from "playwright-core";
import { atEnd } from "./processes.mjs";

const PLACES = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Where a Chromium is, or undefined. */
export const chromiumPath = PLACES.find((place) => place && existsSync(place));

/** A page in a fresh browser; what it logs as an error, and every request that leaves the service, is kept. */
export async function openPage(t, { url, width = 1280, height = 800, colorScheme = "light" }) {
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  atEnd(t, () => browser.close());
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  page.problems = [];
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("request", (request) => {
    const host = new URL(request.url()).host;
    if (!request.url().startsWith("data:") && host !== new URL(url).host) page.problems.push(`request to ${request.url()}`);
  });
  await page.goto(url);
  return page;
}

export async function signIn(page, email, password) {
  await page.getByTestId("login-email").fill(email);
  await page.getByTestId("login-password").fill(password);
  await page.getByTestId("login-submit").click();
  await page.getByTestId("session-list").waitFor({ state: "attached" });
}

/** The blocks that the page shows, in their order: mode, index and text. */
export function shownBlocks(page) {
  return page.$$eval(
    '[data-testid="block-thinking"], [data-testid="block-responding"], [data-testid="block-tool"]',
    (elements) =>
      elements.map((element) => ({
        mode: element.dataset.testid.replace("block-", ""),
        index: Number(element.dataset.blockIndex),
        tool: element.dataset.toolName,
        state: element.dataset.state,
        text: element.textContent,
      })),
  );
}

/** Waits until what moves once has moved, and until the page stands still for a moment or, where it never does, for three seconds. */
function settled(page) {
  return page.evaluate(async () => {
    await Promise.allSettled(document.getAnimations().filter((one) => one.effect.getTiming().iterations === 1).map((one) => one.finished));
    let changed = performance.now();
    const changes = new MutationObserver(() => (changed = performance.now()));
    changes.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
    const until = performance.now() + 3_000;
    while (performance.now() - changed < 200 && performance.now() < until) await new Promise((done) => setTimeout(done, 50));
    changes.disconnect();
  });
}

/** Takes a picture when somebody wants to look: into the folder that GADGET_SHOTS names. */
export async function picture(page, name) {
  if (!process.env.GADGET_SHOTS) return;
  await settled(page);
  await page.screenshot({ path: join(process.env.GADGET_SHOTS, `${name}.png`) });
}

/** What on the page keeps people from using it: what axe calls serious or critical, contrast included. */
export async function usable(page, where) {
  // A list lays rows out unseen before it shows them: what axe meets in that moment is gone at the second look.
  const found = (await violations(page)).length === 0 ? [] : await violations(page);
  await picture(page, where.replaceAll(" ", "-"));
  return found.map((one) => `${where}: ${one}`);
}

async function violations(page) {
  await settled(page);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations
    .filter((one) => ["serious", "critical"].includes(one.impact))
    .map((one) => `${one.id}: ${one.nodes.slice(0, 4).map((node) => `${node.html.slice(0, 200)} ${node.any[0]?.message ?? ""}`).join(" | ")}`);
}
