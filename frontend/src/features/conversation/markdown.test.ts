import { describe, expect, test } from "vitest";
import { type CutText, cut, EMPTY, htmlOf } from "./markdown";

const TEXT = `# Plan

First line
second line with **bold** and \`code\`.

- one
- two
  - deeper

  still two

\`\`\`java
class A {

}
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

> said

The end, ~5 of ~6.`;

const shown = (text: CutText) => [...text.finished, ...text.open].map((block) => block.raw);

describe("Markdown that grows", () => {
  test("S0-41: character by character it is cut as the whole is", () => {
    let growing = EMPTY;
    for (let end = 1; end <= TEXT.length; end += 1) growing = cut(TEXT.slice(0, end), growing);
    expect(shown(growing)).toEqual(shown(cut(TEXT)));
    expect(shown(growing).join("")).toBe(TEXT);
  });

  test("finished blocks stay the same objects", () => {
    const before = cut(TEXT);
    const after = cut(`${TEXT} And more.`, before);
    expect(after.finished.slice(0, before.finished.length)).toEqual(before.finished);
    expect(after.finished[0]).toBe(before.finished[0]);
  });

  test("a text that is another one is read anew", () => {
    expect(shown(cut("other", cut(TEXT)))).toEqual(["other"]);
  });

  test("single line breaks are kept", () => {
    expect(htmlOf("First line\nsecond line", false)).toContain("First line<br>second line");
  });

  test("one tilde is no strike-through, two are", () => {
    expect(htmlOf("takes~61 of~62 and~63", true)).toContain("takes~61 of~62 and~63");
    expect(htmlOf("~~gone~~", false)).toContain("<del>gone</del>");
  });

  test("an open block shows begun emphasis as emphasis", () => {
    expect(htmlOf("some **bold te", true)).toContain("<strong>bold te</strong>");
  });
});

describe("what a model says stays text", () => {
  const PAYLOADS = [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "![x](https://evil.example/p.png)",
    "![x][r]\n\n[r]: https://evil.example/p.png",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt&colon;alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "<a href=\"vbscript:x\" onclick='y'>a</a>",
    "<svg onload=alert(1)><use href=https://evil.example/x.svg#a></svg>",
    '<div style="background:url(https://evil.example/b)">x</div>',
    '<iframe src="https://evil.example"></iframe>',
    '<form action="https://evil.example"><button>go</button></form>',
    '<link rel="stylesheet" href="https://evil.example/a.css">',
    '<p class="fixed inset-0">over everything</p>',
    '`<img src="https://evil.example/c">`',
    "<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>",
  ];
  const NEVER =
    "script, img, svg, iframe, form, button, link, style, object, embed, video, audio, source, [style], [src], [srcset], [onerror], [onclick], [onload], [id], [name], .fixed";

  test.each(PAYLOADS)("%s", (payload) => {
    for (let end = 1; end <= payload.length; end += 1) {
      for (const isOpen of [true, false]) {
        const place = document.createElement("div");
        place.innerHTML = htmlOf(payload.slice(0, end), isOpen);
        expect(place.querySelectorAll(NEVER)).toHaveLength(0);
        for (const link of place.querySelectorAll("a[href]")) {
          expect(link.getAttribute("href")).toMatch(/^(https?:|mailto:)/);
          expect(link.getAttribute("rel")).toContain("noopener");
        }
      }
    }
  });

  test("tags are shown as they were written", () => {
    expect(htmlOf("Use <Button> here", false)).toContain("Use &lt;Button&gt; here");
  });

  test("a link shows the host that its text hides", () => {
    expect(htmlOf("[my bank](https://evil.example/login)", false)).toContain('data-host="evil.example"');
    expect(htmlOf("[https://good.example/x?r=evil.example](https://evil.example/SECRET)", false)).toContain(
      'data-host="evil.example"',
    );
    expect(htmlOf("https://good.example@evil.example/x", false)).toContain('data-host="evil.example"');
    expect(htmlOf("https://good.example/x", false)).not.toContain("data-host");
  });

  test("items that are to be done are known as such, and no class of a model's making is", () => {
    expect(htmlOf("- [x] done\n- plain", false)).toMatch(
      /<li class="task"><input (?=[^>]*type="checkbox")(?=[^>]*disabled)(?=[^>]*aria-label="Task")/,
    );
    expect(htmlOf("- plain", false)).not.toContain("class");
  });

  test("a table is shown when it is one, and its rows as they come", () => {
    const table = "Words.\n| a | b |\n|---|---|\n| 1 | 2";
    for (let end = 8; end < table.indexOf("|\n| 1"); end += 1) {
      expect(htmlOf(table.slice(0, end), true)).toBe("<p>Words.</p>\n");
    }
    expect(htmlOf(table, true)).toContain("<td>2</td>");
    expect(htmlOf("| no table", false)).toContain("| no table");
  });
});
