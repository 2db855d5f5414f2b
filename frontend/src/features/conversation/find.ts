// Finds words in a conversation, also in what is not on the page because it is far from the view.
import type { BlockUnion } from "../../protocol/messages.gen";
import { ownBlocks } from "../../turn/stories";
import { argumentPreview, resultLine } from "./figures";
import type { Segment } from "./segments";

/** A prompt or a block that has the words. */
export interface Found {
  /** Stays the same when earlier turns come. */
  key: string;
  /** The row that it is in. */
  row: number;
  /** The block; null for the prompt. */
  block: number | null;
}

/** What can be read of a block without opening it. */
function seen(block: BlockUnion): string {
  switch (block.mode) {
    case "responding":
    case "prompt":
      return block.content;
    case "tool":
      return `${block.content.name} ${argumentPreview(block.content.parameters)} ${resultLine(block.content)}`;
    case "thinking":
      return "";
  }
}

/** Where the words are, from the first turn to the last; capitals do not count. */
export function find(rows: readonly Segment[], words: string): Found[] {
  const wanted = words.toLowerCase();
  if (wanted.trim() === "") return [];
  return rows.flatMap(({ key, copy: { turn }, from, to, first }, row): Found[] => [
    ...(first && turn.prompt.toLowerCase().includes(wanted) ? [{ key, row, block: null }] : []),
    ...ownBlocks(turn.blocks)
      .slice(from, to)
      .filter((block) => seen(block).toLowerCase().includes(wanted))
      .map((block) => ({ key: `${turn.id}:${block.index}`, row, block: block.index })),
  ]);
}

/**
 * Where the words stand below an element, in a place that fits; null when there is none, or it shows them otherwise, as Markdown does
 * with its marks.
 */
export function rangeOf(
  element: Element,
  words: string,
  fits: (range: Range) => boolean = () => true,
): Range | null {
  const wanted = words.toLowerCase();
  for (const run of runsBelow(element)) {
    const text = run
      .map((node) => node.data)
      .join("")
      .toLowerCase();
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
      const range = between(run, at, at + wanted.length);
      if (fits(range)) return range;
    }
  }
  return null;
}

/** Whether it can be read there: it is drawn, and no line of an element within this one cuts it off. */
export function isReadable(range: Range, within: Element): boolean {
  const box = range.getBoundingClientRect();
  if (box.width === 0) return false;
  let around = range.startContainer.parentElement;
  for (; around && within.contains(around); around = around.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(around);
    const edge = around.getBoundingClientRect();
    if (overflowX === "hidden" && box.right > edge.right + 1) return false;
    if (overflowY === "hidden" && box.bottom > edge.bottom + 1) return false;
  }
  return true;
}

/** Texts that are read as one: coloured code is in many pieces, everything else for itself. */
function* runsBelow(element: Element): Generator<readonly Text[]> {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let run: Text[] = [];
  let code: Element | null = null;
  for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null) {
    const within = node.parentElement?.closest("code") ?? null;
    if (within === null || within !== code) {
      yield run;
      run = [];
    }
    code = within;
    run.push(node);
  }
  yield run;
}

function between(run: readonly Text[], from: number, to: number): Range {
  const range = document.createRange();
  let start = 0;
  for (const node of run) {
    const end = start + node.data.length;
    if (from >= start && from < end) range.setStart(node, from - start);
    if (to <= end) {
      range.setEnd(node, to - start);
      break;
    }
    start = end;
  }
  return range;
}
