// Figures as people read them.
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
const TELLING = ["command", "path", "pattern", "query", "url", "name"];

export function argumentPreview(parameters: Record<string, unknown>): string {
  const key = TELLING.find((name) => typeof parameters[name] === "string") ?? Object.keys(parameters)[0];
  if (key === undefined) return "";
  const value = parameters[key];
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.replaceAll(/[ \t\n]+/g, " ").slice(0, 300);
}
