// Figures as people read them.
export function duration(millis: number): string {
  if (millis < 1_000) return `${Math.max(0, Math.round(millis))} ms`;
  const seconds = millis / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
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
