// Puts two texts together that both began as the same one: what only one of them changed is taken from there.

/** Lines of the first text, and the lines of the other that stand in their place. */
interface Change {
  from: number;
  to: number;
  lines: readonly string[];
}

export interface Merge {
  text: string;
  /** In so many places both changed the same lines; there it has those of `mine`. */
  left: number;
}

/** Line by line; places that only touch count as the same when one of them is a mere addition. */
export function merge(base: string, mine: string, theirs: string): Merge {
  const old = base.split("\n");
  const sides = [changes(old, mine.split("\n")), changes(old, theirs.split("\n"))] as const;
  const said: string[] = [];
  const next: [number, number] = [0, 0];
  let at = 0;
  let left = 0;
  for (;;) {
    const heads = [sides[0][next[0]], sides[1][next[1]]] as const;
    const first = !heads[0] || (heads[1] && heads[1].from < heads[0].from) ? heads[1] : heads[0];
    if (!first) break;
    const place = { from: first.from, to: first.to };
    const begun = [...next] as const;
    for (let grown = true; grown; ) {
      grown = false;
      for (const side of [0, 1] as const) {
        for (let change = sides[side][next[side]]; change; change = sides[side][next[side]]) {
          if (change !== first && !meet(place, change)) break;
          place.from = Math.min(place.from, change.from);
          place.to = Math.max(place.to, change.to);
          next[side] += 1;
          grown = true;
        }
      }
    }
    add(said, old.slice(at, place.from));
    const [own, other] = ([0, 1] as const).map((side) =>
      applied(old, place, sides[side].slice(begun[side], next[side])),
    ) as [string[], string[]];
    const both = next[0] > begun[0] && next[1] > begun[1];
    if (both && own.join("\n") !== other.join("\n")) left += 1;
    add(said, next[0] > begun[0] ? own : other);
    at = place.to;
  }
  add(said, old.slice(at));
  return { text: said.join("\n"), left };
}

/** One by one: a call takes only so many arguments. */
function add(lines: string[], more: readonly string[]): void {
  for (const line of more) lines.push(line);
}

type Place = Pick<Change, "from" | "to">;

function meet(one: Place, other: Place): boolean {
  const adds = one.from === one.to || other.from === other.to;
  return adds ? one.from <= other.to && other.from <= one.to : one.from < other.to && other.from < one.to;
}

/** The lines of a place with these changes. */
function applied(old: readonly string[], place: Place, some: readonly Change[]): string[] {
  const lines: string[] = [];
  let at = place.from;
  for (const { from, to, lines: instead } of some) {
    add(lines, old.slice(at, from));
    add(lines, instead);
    at = to;
  }
  add(lines, old.slice(at, place.to));
  return lines;
}

/** What is to be changed in the old lines to have the new ones, in order. */
function changes(old: readonly string[], now: readonly string[]): Change[] {
  const found: Change[] = [];
  const work: [number, number, number, number][] = [[0, old.length, 0, now.length]];
  for (let part = work.pop(); part; part = work.pop()) {
    let [oldFrom, oldTo, nowFrom, nowTo] = part;
    while (oldFrom < oldTo && nowFrom < nowTo && old[oldFrom] === now[nowFrom]) {
      oldFrom += 1;
      nowFrom += 1;
    }
    while (oldFrom < oldTo && nowFrom < nowTo && old[oldTo - 1] === now[nowTo - 1]) {
      oldTo -= 1;
      nowTo -= 1;
    }
    if (oldFrom === oldTo && nowFrom === nowTo) continue;
    const same = oldFrom < oldTo && nowFrom < nowTo ? anchors(old, oldFrom, oldTo, now, nowFrom, nowTo) : [];
    if (same.length === 0) {
      found.push({ from: oldFrom, to: oldTo, lines: now.slice(nowFrom, nowTo) });
      continue;
    }
    let [oldAt, nowAt] = [oldFrom, nowFrom];
    const parts: typeof work = [];
    for (const [oldLine, nowLine] of same) {
      parts.push([oldAt, oldLine, nowAt, nowLine]);
      oldAt = oldLine + 1;
      nowAt = nowLine + 1;
    }
    parts.push([oldAt, oldTo, nowAt, nowTo]);
    // The first of them is looked at first.
    for (const next of parts.reverse()) work.push(next);
  }
  return found;
}

/** Lines that are once in either part, as many as stand in the same order in both: what a person takes for the same line. */
function anchors(
  old: readonly string[],
  oldFrom: number,
  oldTo: number,
  now: readonly string[],
  nowFrom: number,
  nowTo: number,
): [number, number][] {
  const places = once(now, nowFrom, nowTo);
  const pairs = [...once(old, oldFrom, oldTo)].flatMap(([line, at]): [number, number][] => {
    const there = at === null ? null : places.get(line);
    return at === null || there === null || there === undefined ? [] : [[at, there]];
  });
  return increasing(pairs.sort((one, other) => one[0] - other[0]));
}

/** Where each line stands; null when it is there more than once. */
function once(lines: readonly string[], from: number, to: number): Map<string, number | null> {
  const places = new Map<string, number | null>();
  for (let at = from; at < to; at += 1) {
    const line = lines[at] as string;
    places.set(line, places.has(line) ? null : at);
  }
  return places;
}

/** The longest row of pairs whose second numbers grow, too. */
function increasing(pairs: readonly [number, number][]): [number, number][] {
  // The smallest end of a row of each length, and what is before each pair in its row.
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, pair] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] as number] as [number, number])[1] < pair[1]) low = middle + 1;
      else high = middle;
    }
    before.push(low > 0 ? ends[low - 1] : undefined);
    ends[low] = index;
  }
  const row: [number, number][] = [];
  for (let index = ends.at(-1); index !== undefined; index = before[index])
    row.push(pairs[index] as [number, number]);
  return row.reverse();
}
