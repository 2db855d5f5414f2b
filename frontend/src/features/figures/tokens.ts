import type { Series } from "./plots";

/** Tokens that a model was told, and those that it said. */
export const TOKENS: readonly Series[] = [
  { words: "In", fill: "fill-plot-tool", swatch: "bg-plot-tool" },
  { words: "Out", fill: "fill-plot-responding", swatch: "bg-plot-responding" },
];
