// Markdown from a model, safe to show: cut into blocks so that finished ones are rendered once.
import createDOMPurify from "dompurify";
import { Marked, type Token, type Tokens } from "marked";
import remend from "remend";

const STRIKE = /^~~(?=[^\s~])([\s\S]*?[^\s~])~~(?=[^~]|$)/;
const ALLOWED_CLASSES = new Set(["fence", "no-image", "table-wrap"]);
const SAFE_LINK = /^(https?:|mailto:)/i;

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

const marked = new Marked({
  gfm: true,
  // People and models mean the line breaks that they write.
  breaks: true,
  tokenizer: {
    // One tilde means "about": only two strike out.
    del(source) {
      const match = STRIKE.exec(source);
      if (!match?.[1]) return undefined;
      return { type: "del", raw: match[0], text: match[1], tokens: this.lexer.inlineTokens(match[1]) };
    },
  },
  renderer: {
    // What looks like a tag is mostly meant to be read: <Button>, <T>.
    html: ({ text }) => escapeHtml(text),
    // Nothing is fetched because a model says so.
    image: ({ href, text }) => `<span class="no-image">image not loaded: ${escapeHtml(text || href)}</span>`,
    code: ({ text }) => `<div class="fence"><pre><code>${escapeHtml(text)}</code></pre></div>\n`,
    table(token) {
      const rows = token.rows.map((row) =>
        this.tablerow({ text: row.map((cell) => this.tablecell(cell)).join("") }),
      );
      const head = this.tablerow({ text: token.header.map((cell) => this.tablecell(cell)).join("") });
      return `<div class="table-wrap"><table><thead>${head}</thead><tbody>${rows.join("")}</tbody></table></div>`;
    },
  },
});

const purify = createDOMPurify(window);
if (!purify.isSupported) throw new Error("This browser cannot make foreign text safe to show.");

purify.addHook("afterSanitizeAttributes", (node) => {
  const classes = node.getAttribute("class");
  if (classes !== null && !ALLOWED_CLASSES.has(classes)) node.removeAttribute("class");
  if (node.nodeName === "INPUT") {
    node.setAttribute("type", "checkbox");
    node.setAttribute("disabled", "");
    node.setAttribute("aria-label", "Task");
    if (node.parentNode?.nodeName === "LI") (node.parentNode as Element).setAttribute("class", "task");
  }
  if (node.nodeName === "A") guardLink(node);
});

/** A link opens beside the page, tells nothing about it, and shows where it leads. */
function guardLink(link: Element): void {
  const href = link.getAttribute("href") ?? "";
  if (!SAFE_LINK.test(href)) {
    link.removeAttribute("href");
    return;
  }
  link.setAttribute("rel", "noopener noreferrer nofollow");
  link.setAttribute("target", "_blank");
  const to = URL.canParse(href) ? new URL(href) : null;
  // Only an address that is its own text, and begins with nothing else than the host, shows it already.
  const shown = link.textContent === href && href.startsWith(`${to?.protocol}//${to?.host}`);
  if (to?.host && !shown) link.setAttribute("data-host", to.host);
}

// Once: it costs as much as a short text, and comes with each token otherwise.
purify.setConfig({
  ALLOWED_TAGS: [
    ..."p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del a span div".split(" "),
    ..."table thead tbody tr th td input".split(" "),
  ],
  ALLOWED_ATTR: ["href", "title", "align", "start", "class", "type", "checked", "disabled"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
});

export function sanitize(html: string): string {
  return purify.sanitize(html);
}

/** A top-level piece of a text. */
export interface MarkdownBlock {
  /** Where it starts in the text: its identity, since text only grows. */
  start: number;
  raw: string;
  /** A code fence is shown as code, everything else as HTML. */
  code: Code | null;
}

export interface Code {
  language: string;
  text: string;
}

/** A text cut into blocks; only what follows the finished ones is read again when it grows. */
export interface CutText {
  text: string;
  finished: MarkdownBlock[];
  open: MarkdownBlock[];
}

export const EMPTY: CutText = { text: "", finished: [], open: [] };

export function cut(text: string, before: CutText = EMPTY): CutText {
  // Text only grows; that its end is the same shows it, and does not cost more the longer it is.
  const from = before.finished.at(-1)?.start ?? 0;
  const grown = before.text !== "" && text.startsWith(before.text.slice(from), from);
  const finished = grown ? before.finished.slice() : [];
  const last = finished.at(-1);
  let start = last ? last.start + last.raw.length : 0;
  const blocks: MarkdownBlock[] = [];
  for (const token of marked.lexer(text.slice(start))) {
    blocks.push({ start, raw: token.raw, code: codeOf(token) });
    start += token.raw.length;
  }
  // The last block may still change, and a blank line after it belongs to it.
  const lastReal = blocks.findLastIndex((block) => block.raw.trim() !== "");
  const done = Math.max(0, lastReal);
  finished.push(...blocks.slice(0, done));
  return { text, finished, open: blocks.slice(done) };
}

/** The code in the items of a list, and in what is quoted, as it stands in {@link htmlOf}. */
export function codeWithin(raw: string): Code[] {
  const found: Code[] = [];
  marked.walkTokens(marked.lexer(raw), (token) => {
    const code = codeOf(token);
    if (code) found.push(code);
  });
  return found;
}

function codeOf(token: Token): Code | null {
  if (token.type !== "code") return null;
  const code = token as Tokens.Code;
  return { language: (code.lang ?? "").split(/\s/)[0] ?? "", text: code.text };
}

/** The head of a table is a row of bars until the line below it is whole: it waits for that. */
function withoutTableHead(raw: string): string {
  const lines = raw.replace(/\n$/, "").split("\n");
  const head = lines.findLastIndex((line) => !line.startsWith("|")) + 1;
  const rows = lines.slice(head);
  const bars = rows.map((row) => row.split("|").length);
  const begun = rows.length === 1 || (rows.length === 2 && (bars[1] ?? 0) < (bars[0] ?? 0));
  return begun ? lines.slice(0, head).join("\n") : raw;
}

/** Safe HTML of a block; of an open one with what is begun (bold, a link) shown as if it were closed. */
export function htmlOf(raw: string, isOpen: boolean): string {
  const source = isOpen ? remend(withoutTableHead(raw)) : raw;
  return sanitize(marked.parse(source, { async: false }));
}
