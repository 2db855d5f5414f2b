import { act } from "react";
import { expect, it, vi } from "vitest";
import { one, onPage } from "../../ui/on-page";
import { endingOf, FENCE_LANGUAGES } from "./fence-languages";
import { MarkdownView } from "./markdown-view";

// The page loads it when it needs it, which takes a while here.
const { piecesOf } = await import("./code-colours");

const JAVA = 'class A {\n\n  // <script>alert(1)</script>\n  String b = "<img src=x onerror=y>";\n}';
const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
const view = (text: string, growing = false) => <MarkdownView text={text} growing={growing} />;
const code = (place: ParentNode) => one(place, "pre code");
/** Long enough for what is loaded by now to have coloured it. */
const aWhile = (millis = 50) => act(() => new Promise((done) => setTimeout(done, millis)));
const coloured = (place: ParentNode) =>
  vi.waitFor(
    async () => {
      await aWhile(10);
      return one(place, "pre code span");
    },
    { timeout: 30_000 },
  );

it("finished code is coloured, and stays the same text", async () => {
  const page = onPage(view(fence("java", JAVA)));
  expect(code(page.place).innerHTML).not.toContain("<span");
  await coloured(page.place);
  expect(code(page.place).textContent).toBe(JAVA);
  expect(one(page.place, "code .tok-keyword").textContent).toBe("class");
  expect(one(page.place, "code .tok-comment").textContent).toBe("// <script>alert(1)</script>");
  expect(page.place.querySelectorAll("script, img, code :not(span)")).toHaveLength(0);
  page.leave();
});

it("what is finished is coloured once, however many words come after it", async () => {
  const page = onPage(view(`${fence("java", JAVA)}\n\nMore`, true));
  await coloured(page.place);
  const words = [...code(page.place).children];
  page.again(view(`${fence("java", JAVA)}\n\nMore words`, true));
  expect([...code(page.place).children].every((word, index) => word === words[index])).toBe(true);
  page.leave();
});

it("code is plain while it grows, in a language that nobody knows, and when it is very long", async () => {
  const warm = onPage(view(fence("js", "let a = 1;")));
  await coloured(warm.place);
  warm.leave();
  const long = "let a = 1;\n".repeat(5_000);
  for (const [text, growing] of [
    [fence("js", "let b = 2;"), true],
    [fence("klingon", "let b = 2;"), false],
    [fence("constructor", "let b = 2;"), false],
    [fence("", "let b = 2;"), false],
    [fence("js", long), false],
  ] as const) {
    const page = onPage(view(text, growing));
    await aWhile();
    expect(page.place.querySelector("code span")).toBeNull();
    page.leave();
  }
});

it("S0-51: the caret stands in code, too, and where the next word is not shown yet", () => {
  const page = onPage(view("Look:\n\n```js\nlet a", true));
  expect(one(page.place, ".caret-after > :last-child").textContent).toBe("let a");
  page.again(view("Look:\n\n```js\nlet a\n```\n\n| a", true));
  expect(one(page.place, ".caret-after > :last-child").textContent).toBe("");
  expect(page.place.querySelectorAll(".caret-after")).toHaveLength(1);
  page.again(view("Look:\n\n```js\nlet a"));
  expect(page.place.querySelector(".caret-after")).toBeNull();
  page.leave();
});

it("code that was coloured before is so at once", async () => {
  const before = onPage(view(fence("java", JAVA)));
  await coloured(before.place);
  before.leave();
  const page = onPage(view(fence("java", JAVA)));
  expect(page.place.querySelector("code span")).not.toBeNull();
  page.leave();
});

it("code in a list, and in what is quoted, can be copied and has its colours when it is finished", async () => {
  const indented = (by: string, code: string) => code.replaceAll("\n", `\n${by}`);
  const steps = `1. Build it:

   ${indented("   ", fence("java", JAVA))}

2. Then
   - this:

     ${indented("     ", fence("", "<b>run</b>"))}

> ${indented("> ", fence("js", "let a = 1;"))}`;
  const page = onPage(view(steps, true));
  expect(page.place.querySelectorAll("pre")).toHaveLength(3);
  expect(page.place.querySelector("figure")).not.toBeNull();
  page.again(view(steps));
  await coloured(page.place);
  const shown = [...page.place.querySelectorAll("figure")];
  expect(shown.map((one) => one.querySelector("figcaption span")?.textContent)).toEqual([
    "java",
    "text",
    "js",
  ]);
  expect(shown.map((one) => one.querySelector("code")?.textContent)).toEqual([
    JAVA,
    "<b>run</b>",
    "let a = 1;",
  ]);
  expect(shown.every((one) => one.querySelector("button"))).toBe(true);
  expect(page.place.querySelectorAll("b, script, img")).toHaveLength(0);
  expect(one(page.place, "ol > li figure")).toBe(shown[0]);
  const quote = () => one(page.place, "blockquote").textContent;
  page.again(view(steps, true));
  expect(quote()).toContain("let a = 1;");
  expect(page.place.querySelector("blockquote figure")).toBeNull();
  page.again(view(steps));
  expect(quote()).toContain("let a = 1;");
  expect(page.place.querySelector("blockquote figure")).not.toBeNull();
  page.leave();
});

it.each(FENCE_LANGUAGES)("a fence in %s is known to the editor's languages, too", async (language) => {
  const text = `${JAVA}\r\n\t<a b="c">&amp;</a> 'x' \`y\` # z 42 𝒳\n\n`;
  const pieces = await piecesOf(endingOf(language) ?? "", text);
  expect(pieces?.map((piece) => piece.text).join("")).toBe(text);
});
