// Prices of models as lines that a person writes: `gpt-x 2.50 10`.
import type { ModelPrice } from "../../protocol/messages.gen";

/** The prices in lines, or what is wrong with the first line that is none. */
export function readPrices(text: string): { prices: ModelPrice[] } | { wrong: string } {
  const prices: ModelPrice[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const words = line.trim().split(/\s+/);
    const [input, output] = words.slice(-2).map((word) => Number(word.replace(",", ".")));
    const model = words.slice(0, -2).join(" ");
    if (words.length < 3 || !isPrice(input) || !isPrice(output)) {
      return {
        wrong: `Line ${index + 1} is not a price. Write the model, then the price of a million tokens in and out: “gpt-x 2.50 10”.`,
      };
    }
    prices.push({ model, input, output });
  }
  return { prices };
}

function isPrice(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}

export function writePrices(prices: readonly ModelPrice[]): string {
  return prices.map((price) => `${price.model} ${price.input} ${price.output}`).join("\n");
}
