// ./gadget bench --ui: what the page costs in a real browser, while an answer streams and in a very long session.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { Author } from "./author.mjs";
import { quantile } from "./process-stats.mjs";
import { script, sleep, startScene, until } from "./scene.mjs";
import { ROOT } from "./service.mjs";

const PLACES = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const PAGE = join(ROOT, "frontend/target/classes/META-INF/resources");
const TOKENS = 8_000;
const RATE = 100;
const TURNS = 500;
const BLOCKS = 100;
const FRAME_MILLIS = 16;

/** What a model writes: headings, paragraphs, a list, a table, code; a piece is a token. */
function answer(tokens) {
  const section = (number) => `## Part ${number}

The cart adds **every line** and rounds once, which is what \`Cart.total\` promised all along. Nothing else changes for those who call it, and the tests that were there still hold.

- first the lines are added,
- then the *discount* is taken off,
- and [the rest](https://example.org/${number}) is rounded.

| what | before | now |
|---|---|---|
| three lines | 10.01 | 10.00 |

\`\`\`java
BigDecimal total() {
    return lines.stream().map(Line::price).reduce(ZERO, BigDecimal::add);
}
\`\`\`
`;
  let text = "";
  for (let number = 1; ; number += 1) {
    const words = `${text}\n${section(number)}`.match(/\s*\S+/g);
    if (words.length >= tokens) return words.slice(0, tokens).join("").trimStart();
    text = words.join("");
  }
}

/** The work of the page's main thread as the browser's own trace has it: CPU time a task, so that other programs do not count. */
async function traced(browser, page, work) {
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const main = traceEvents.find((one) => one.name === "thread_name" && one.args.name === "CrRendererMain" && traceEvents.some((other) => other.pid === one.pid && other.tid === one.tid && other.name === "ThreadControllerImpl::RunTask"));
  const tasks = traceEvents.filter((one) => one.ph === "X" && one.pid === main.pid && one.tid === main.tid && one.name === "ThreadControllerImpl::RunTask");
  const millis = tasks.map((one) => (one.tdur ?? one.dur) / 1000).sort((a, b) => a - b);
  return { total: millis.reduce((sum, one) => sum + one, 0), longest: millis.at(-1) ?? 0, over: millis.filter((one) => one > FRAME_MILLIS).length };
}

async function openBrowser(service) {
  const executablePath = PLACES.find((place) => place && existsSync(place));
  if (!executablePath) throw new Error("--ui: no Chromium is installed (package 'chromium'); CHROMIUM names one elsewhere");
  const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.goto(service.url);
  await page.getByTestId("login-email").fill(service.email);
  await page.getByTestId("login-password").fill(service.password);
  await page.getByTestId("login-submit").click();
  await page.getByTestId("session-list").waitFor({ state: "attached" });
  return { browser, page };
}

/** Runs in the page: the times between frames, the most elements at once, and when a turn was first painted. */
function watch() {
  const seen = { frames: [], elements: 0, away: 0, shownAt: undefined, asked: 0 };
  window.seen = seen;
  let last = performance.now();
  const frame = (now) => {
    seen.frames.push(now - last);
    last = now;
    seen.elements = Math.max(seen.elements, document.getElementsByTagName("*").length);
    const turn = [...document.querySelectorAll("#main article")].at(-1);
    if (!seen.shownAt && turn) {
      const { top, bottom } = turn.getBoundingClientRect();
      // What is in sight in this frame is painted at its end.
      if (bottom > 0 && top < innerHeight) seen.shownAt = now;
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

const figures = (millis) => {
  const sorted = millis.toSorted((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), longest: sorted.at(-1) ?? 0 };
};

async function streaming(scene, { browser, page }) {
  const text = answer(TOKENS);
  const session = await scene.session({ name: "Streaming" });
  await page.goto(`${scene.service.url}/sessions/${session.id}`);
  await page.getByTestId("prompt-input").waitFor();
  await scene.service.call("POST", `/sessions/${session.id}/turns`, { prompt: script([text], ` rate=${RATE}`) }, { prefer: "respond-async" });
  // The prompt holds the whole answer; what it costs to show is not the answer's.
  await page.getByTestId("block-responding").waitFor();
  await page.evaluate(() => {
    window.seen.frames = [];
  });
  const began = performance.now();
  const task = await traced(browser, page, async () => {
    await page.locator('[data-testid="turn-status"][data-status="finished"]').waitFor({ timeout: 300_000 });
  });
  const seconds = (performance.now() - began) / 1000;
  const { frames, elements } = await page.evaluate(() => window.seen);
  const stored = (await scene.service.call("GET", `/sessions/${session.id}`)).turns[0].blocks.at(-1).content;
  if (stored !== text) throw new Error("what was streamed is not what was sent");
  return { tokens: TOKENS, seconds, tokensPerSecond: TOKENS / seconds, frames: figures(frames), tasksOver16Millis: task.over, longestTaskMillis: task.longest, mainThreadShare: task.total / 1000 / seconds, elements };
}

/** The page's own Markdown code in the same browser: what is read again as a text grows, against reading all of it each time. */
async function markdown({ page }) {
  const folder = mkdtempSync(join(tmpdir(), "gadget-bench-markdown-"));
  try {
    const vite = await import(pathToFileURL(createRequire(join(ROOT, "frontend/package.json")).resolve("vite")));
    await vite.build({
      configFile: false,
      logLevel: "error",
      root: join(ROOT, "frontend"),
      build: { outDir: folder, lib: { entry: join(ROOT, "frontend/src/features/conversation/markdown.ts"), formats: ["iife"], name: "gadgetMarkdown", fileName: () => "markdown.js" } },
    });
    const bench = await page.context().newPage();
    await bench.addScriptTag({ path: join(folder, "markdown.js") });
    const measured = await bench.evaluate(growing, { text: answer(TOKENS), tokensPerFrame: RATE / 60 });
    await bench.close();
    return { ...measured, share: measured.grownMillis / measured.wholeMillis, secondHalfToFirst: measured.halves[1] / measured.halves[0] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs in the page. It grows by what comes in a frame, as the page draws it; the whole is read at every 20th token, and counts twenty times. */
function growing({ text, tokensPerFrame }) {
  const { cut, htmlOf, EMPTY } = window.gadgetMarkdown;
  const ends = [...text.matchAll(/\s*\S+/g)].map((word) => word.index + word[0].length);
  const place = document.body.appendChild(document.createElement("div"));
  const halves = [0, 0];
  let parts = EMPTY;
  const drawn = new Map();
  ends.forEach((end, at) => {
    if (Math.floor(at / tokensPerFrame) === Math.floor((at + 1) / tokensPerFrame)) return;
    const began = performance.now();
    parts = cut(text.slice(0, end), parts);
    for (const [list, isOpen] of [[parts.finished.slice(-2), false], [parts.open, true]]) {
      for (const block of list) {
        const key = `${block.raw}${isOpen}`;
        if (block.code || drawn.get(block.start) === key) continue;
        drawn.set(block.start, key);
        place.innerHTML = htmlOf(block.raw, isOpen);
      }
    }
    halves[at < ends.length / 2 ? 0 : 1] += performance.now() - began;
  });
  let wholeMillis = 0;
  for (let at = 0; at < ends.length; at += 20) {
    const began = performance.now();
    place.innerHTML = htmlOf(text.slice(0, ends[at]), true);
    wholeMillis += 20 * (performance.now() - began);
  }
  return { halves, grownMillis: halves[0] + halves[1], wholeMillis };
}

async function longSession(scene, { browser, page }) {
  const author = new Author(scene.service);
  let writtenSeconds;
  try {
    await author.setUp(scene.projectId, scene.providerId);
    const began = performance.now();
    for (let turn = 1; turn <= TURNS; turn += 1) await author.write(`Prompt ${turn}: mend the cart`, BLOCKS);
    writtenSeconds = (performance.now() - began) / 1000;
  } finally {
    author.close();
  }
  const address = `${scene.service.url}/sessions/${author.session.id}`;
  const shown = () => until("the session is shown", () => page.evaluate(() => window.seen.shownAt));
  const fresh = [];
  for (let run = 0; run < 5; run += 1) {
    await page.goto(address);
    fresh.push(await shown());
  }
  const switched = [];
  for (let run = 0; run < 5; run += 1) {
    await page.goto(scene.service.url);
    const link = page.locator(`[data-session-link="${author.session.id}"]`);
    await link.waitFor();
    await page.evaluate((id) => {
      window.seen.shownAt = undefined;
      document.querySelector(`[data-session-link="${id}"]`).addEventListener("click", () => (window.seen.asked = performance.now()), { capture: true });
    }, author.session.id);
    await link.click();
    await shown();
    switched.push(await page.evaluate(() => window.seen.shownAt - window.seen.asked));
  }
  await sleep(1000);
  await page.locator("#main article").last().hover();
  await page.evaluate(() => Object.assign(window.seen, { frames: [], elements: 0 }));
  const shownTurns = new Set();
  const task = await traced(browser, page, async () => {
    for (let step = 0; step < 400; step += 1) {
      await page.mouse.wheel(0, -400);
      if (step % 20 === 0) shownTurns.add(await page.locator("#main article").first().textContent());
    }
  });
  const { frames, elements } = await page.evaluate(() => window.seen);
  return {
    turns: TURNS,
    blocks: TURNS * BLOCKS,
    writtenSeconds,
    firstPaintMillis: median(fresh),
    switchedMillis: median(switched),
    scrolledPastTurns: shownTurns.size,
    frames: figures(frames),
    tasksOver16Millis: task.over,
    longestTaskMillis: task.longest,
    elements,
  };
}

const median = (values) => quantile(values.toSorted((a, b) => a - b), 0.5);

/** What a browser fetches before it can show anything, as it is compressed on the way. */
function firstLoad() {
  const index = readFileSync(join(PAGE, "index.html"), "utf8");
  const names = [...index.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map((match) => match[1]);
  return names.reduce((sum, name) => sum + gzipSync(readFileSync(join(PAGE, name))).length, 0) / 1000;
}

export async function runUi({ native }) {
  const scene = await startScene({ native });
  let opened;
  const rows = { machine: `${cpus().length} × ${cpus()[0].model}`, loadBefore: loadavg()[0], firstLoadKb: firstLoad() };
  try {
    opened = await openBrowser(scene.service);
    rows.longSession = await longSession(scene, opened);
    rows.streaming = await streaming(scene, opened);
    rows.markdown = await markdown(opened);
  } finally {
    await opened?.browser.close();
    await scene.stop();
  }
  print(rows);
  return rows;
}

function print({ firstLoadKb, streaming: stream, markdown: read, longSession: long }) {
  const ms = (value) => `${value.toFixed(1)} ms`;
  const frames = ({ p50, p99, longest }) => `frames p50 ${ms(p50)}, p99 ${ms(p99)}, longest ${ms(longest)}`;
  console.log(`first load           ${firstLoadKb.toFixed(1)} kB of scripts and styles, gzipped`);
  console.log(`streaming            ${stream.tokens} tokens at ${stream.tokensPerSecond.toFixed(0)} a second; ${frames(stream.frames)}`);
  console.log(`                     ${stream.tasksOver16Millis} tasks of more than ${FRAME_MILLIS} ms CPU, the longest ${ms(stream.longestTaskMillis)}; the page's thread is busy ${(100 * stream.mainThreadShare).toFixed(1)} % of the time; ${stream.elements} elements`);
  console.log(`Markdown             ${ms(read.grownMillis)} as it grows, frame by frame, ${ms(read.wholeMillis)} when all is read for each token: ${(100 * read.share).toFixed(2)} %; second half to first ${read.secondHalfToFirst.toFixed(2)}`);
  console.log(`long session         ${long.turns} turns, ${long.blocks} blocks: first paint ${ms(long.firstPaintMillis)} on a fresh page, ${ms(long.switchedMillis)} from another one`);
  console.log(`  scrolled           ${frames(long.frames)}; ${long.tasksOver16Millis} tasks of more than ${FRAME_MILLIS} ms CPU, the longest ${ms(long.longestTaskMillis)}; at most ${long.elements} elements`);
}
