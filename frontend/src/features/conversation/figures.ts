// Figures as people read them.
import type { ToolCall } from "../../protocol/messages.gen";

export function duration(millis: number): string {
  const whole = Math.max(0, Math.round(millis));
  if (whole < 1_000) return `${whole} ms`;
  const tenths = Math.round(whole / 100);
  return tenths < 100 ? `${(tenths / 10).toFixed(1)} s` : clock(Math.round(whole / 1_000));
}

/** Whole seconds, for what is still counting. */
export function clock(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function between(from?: string | null, to?: string | null): string | undefined {
  if (!from || !to) return undefined;
  const millis = Date.parse(to) - Date.parse(from);
  return Number.isFinite(millis) ? duration(millis) : undefined;
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export function count(value: number): string {
  return compact.format(value);
}

/** What was paid, in the dollars that prices are written in. */
export function money(dollars: number): string {
  return `$${dollars.toFixed(4)}`;
}

/** The one argument that says what a call is about. */
const TELLING = ["command", "path", "pattern", "query", "url", "question", "name"];

export function argumentPreview(parameters: Record<string, unknown>): string {
  const key = TELLING.find((name) => typeof parameters[name] === "string") ?? Object.keys(parameters)[0];
  if (key === undefined) return "";
  const value = parameters[key];
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.replaceAll(/[ \t\n]+/g, " ").slice(0, 300);
}

/** As much of a result as is looked at for its first line. */
const LOOKED_AT_CHARS = 4_000;
const EXIT_CODE = /^Exit code (\d+)\.$/;

/** The first line of a result that says something; a command's with how it failed. */
export function resultPreview(text: string): string {
  const lines = text
    .slice(0, LOOKED_AT_CHARS)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const code = EXIT_CODE.exec(lines[0] ?? "")?.[1];
  const printed = code === undefined ? lines : lines.slice(1);
  const said = isHtml(printed[0] ?? "")
    ? "(HTML)"
    : (printed.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? printed[0] ?? "");
  const ended = code === undefined || (code === "0" && said) ? "" : `Exit code ${code}. `;
  return `${ended}${said}`.trim().slice(0, 200);
}

const lines = new WeakMap<ToolCall, string>();

/** What is said of a call's result while it is closed; a search goes through all of them with each key. */
export function resultLine(call: ToolCall): string {
  if (!call.finishedAt) return "";
  const line = lines.get(call) ?? resultPreview(call.response ?? call.output ?? "");
  lines.set(call, line);
  return line;
}

/** Whether a text is a page of the web, by how it begins. */
export function isHtml(text: string): boolean {
  return /^\s*<(!doctype html|html)[\s>]/i.test(text);
}
