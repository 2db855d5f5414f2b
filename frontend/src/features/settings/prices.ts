// Prices of models as lines that a person writes: `gpt-x 2.50 10`, `gpt-x 2.50 10 cached 0.25`.
import type { ModelPrice } from "../../protocol/messages.gen";

/** The prices in lines, or what is wrong with the first line that is none. */
export function readPrices(text: string): { prices: ModelPrice[] } | { wrong: string } {
  const prices: ModelPrice[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const all = line.trim().split(/\s+/);
    const words = all.at(-2) === "cached" ? all.slice(0, -2) : all;
    const [cachedInput] = all.slice(words.length + 1).map(readPrice);
    const [input, output] = words.slice(-2).map(readPrice);
    const model = words.slice(0, -2).join(" ");
    const cached = cachedInput === undefined || isPrice(cachedInput);
    if (words.length < 3 || !isPrice(input) || !isPrice(output) || !cached) {
      return {
        wrong: `Line ${index + 1} is not a price. Write the model, then the price of a million tokens in and out: “gpt-x 2.50 10”, and “cached 0.25” after it where what was read before costs less.`,
      };
    }
    prices.push({ model, input, output, ...(cachedInput === undefined ? {} : { cachedInput }) });
  }
  return { prices };
}

function readPrice(word: string): number {
  return Number(word.replace(",", "."));
}

function isPrice(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}

export function writePrices(prices: readonly ModelPrice[]): string {
  return prices
    .map(({ model, input, output, cachedInput }) =>
      [model, input, output, ...(cachedInput == null ? [] : ["cached", cachedInput])].join(" "),
    )
    .join("\n");
}
