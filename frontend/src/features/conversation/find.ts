// Finds words in a conversation, also in what is not on the page because it is far from the view.
import type { BlockUnion } from "../../protocol/messages.gen";
import { argumentPreview } from "./figures";
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
      return block.content;
    case "tool":
      return `${block.content.name} ${argumentPreview(block.content.parameters)}`;
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
    ...turn.blocks
      .slice(from, to)
      .filter((block) => seen(block).toLowerCase().includes(wanted))
      .map((block) => ({ key: `${turn.id}:${block.index}`, row, block: block.index })),
  ]);
}

/** Where the words stand below an element; null when it shows them otherwise, as Markdown does with its marks. */
export function rangeOf(element: Element, words: string): Range | null {
  const wanted = words.toLowerCase();
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const at = (node.textContent ?? "").toLowerCase().indexOf(wanted);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, Math.min(at + wanted.length, node.textContent?.length ?? 0));
    return range;
  }
  return null;
}
