// Finds what a person means by a few letters of it.

export interface Match {
  score: number;
  /** Which characters (code points) of the text were meant. */
  at: readonly number[];
}

const WHOLE = 60;
const WORD_START = 12;
const NEXT = 8;
const LETTER = /[\p{L}\p{N}]/u;

/** How well a text fits; null when it does not. Words of the query may come in any order. */
export function fuzzy(query: string, text: string): Match | null {
  const letters = [...text].map((letter) => letter.toLowerCase());
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  let score = 0;
  const at = new Set<number>();
  for (const word of words) {
    const found = whole(letters, [...word]) ?? scattered(letters, [...word]);
    if (!found) return null;
    score += found.score;
    for (const place of found.at) at.add(place);
  }
  return { score, at: [...at].sort((a, b) => a - b) };
}

function startsWord(letters: readonly string[], place: number): boolean {
  return place === 0 || !LETTER.test(letters[place - 1] ?? "");
}

/** All letters side by side; best where a word begins, and early. */
function whole(letters: readonly string[], wanted: readonly string[]): Match | null {
  let best: Match | null = null;
  for (let start = 0; start + wanted.length <= letters.length; start += 1) {
    if (!wanted.every((letter, index) => letters[start + index] === letter)) continue;
    const score =
      WHOLE + wanted.length + (startsWord(letters, start) ? WORD_START : 0) - Math.min(start, 20) / 2;
    if (!best || score > best.score) best = { score, at: wanted.map((_, index) => start + index) };
  }
  return best;
}

/** The letters in their order with others between, the beginnings of words before all others. */
function scattered(letters: readonly string[], wanted: readonly string[]): Match | null {
  const at: number[] = [];
  let score = 0;
  let place = -1;
  for (const letter of wanted) {
    const next = letters.indexOf(letter, place + 1);
    if (next < 0) return null;
    const word = letters.findIndex(
      (one, index) => index > place && one === letter && startsWord(letters, index),
    );
    const rest = wanted.slice(at.length + 1);
    const taken = next !== place + 1 && word > 0 && follows(letters, word, rest) ? word : next;
    score += taken === place + 1 ? NEXT : startsWord(letters, taken) ? WORD_START : 1;
    score -= Math.min(taken - place - 1, 10) / 4;
    at.push(taken);
    place = taken;
  }
  return { score, at };
}

function follows(letters: readonly string[], place: number, wanted: readonly string[]): boolean {
  let at = place;
  for (const letter of wanted) {
    at = letters.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** Those that fit, the best first; of equals the earlier one. */
export function ranked<T>(
  query: string,
  items: readonly T[],
  textOf: (item: T) => string,
): { item: T; at: readonly number[] }[] {
  return items
    .flatMap((item) => {
      const match = fuzzy(query, textOf(item));
      return match ? [{ item, ...match }] : [];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ item, at }) => ({ item, at }));
}
