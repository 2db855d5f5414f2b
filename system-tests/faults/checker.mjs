// Compares what the provider sent, what the store has, and what every reader holds: each token once, in order.

export const numbersIn = (text) => [...text.matchAll(/~(\d+)/g)].map((match) => Number(match[1]));
const textOf = (blocks, mode) => blocks.filter((block) => block.mode === mode && !block.superseded).map((block) => block.content).join("");

/** Counts against 1..expected: what is missing, what is there twice, what stands in the wrong place. */
export function compare(numbers, expected) {
  const seen = new Map();
  let reordered = 0;
  numbers.forEach((number, index) => {
    seen.set(number, (seen.get(number) ?? 0) + 1);
    if (index > 0 && number < numbers[index - 1]) reordered += 1;
  });
  let lost = 0;
  let duplicated = 0;
  for (let number = 1; number <= expected; number += 1) {
    const times = seen.get(number) ?? 0;
    if (times === 0) lost += 1;
    if (times > 1) duplicated += times - 1;
  }
  return { lost, duplicated, reordered };
}

/** What stands in the text where it is first not as it should be. */
function firstFault(text, numbers, expected) {
  const at = numbers.findIndex((number, index) => number !== index + 1);
  const wrong = at < 0 ? numbers.length + 1 : at + 1;
  const near = text.indexOf(`~${wrong - 1}`);
  return `number ${wrong} of ${expected} is wrong after ${JSON.stringify(text.slice(Math.max(0, near - 20), near + 60))}`;
}

/**
 * The verdict on one turn. `tokens` is how many the provider sent in the round that counts; for a turn that ended early it is
 * undefined, and then what is there has to be a prefix.
 */
export function check({ turn, readers, tokens }) {
  const faults = [];
  const text = textOf(turn.blocks, "thinking") + textOf(turn.blocks, "responding");
  const numbers = numbersIn(text);
  const expected = tokens ?? numbers.length;
  const counts = { tokens: expected, ...compare(numbers, expected) };
  if (counts.lost || counts.duplicated || counts.reordered) {
    faults.push(`the store: ${JSON.stringify(counts)}, ${firstFault(text, numbers, expected)}`);
  }
  turn.blocks.forEach((block, index) => {
    if (block.index !== index) faults.push(`block ${index} says that it is ${block.index}`);
  });
  for (const reader of readers) {
    const held = reader.reader.blocks.map((block) => (typeof block.content === "string" ? block.content : (block.content.response ?? "")));
    const stored = turn.blocks.map((block) => (typeof block.content === "string" ? block.content : (block.content.response ?? "")));
    const wrong = stored.findIndex((content, index) => content !== held[index]);
    if (wrong >= 0 || held.length !== stored.length) faults.push(`${reader.name}: block ${wrong} of ${stored.length} differs (it holds ${held.length})`);
    if (reader.reader.end?.status !== turn.status) faults.push(`${reader.name}: saw the end ${reader.reader.end?.status}, stored is ${turn.status}`);
  }
  return { ...counts, faults };
}
