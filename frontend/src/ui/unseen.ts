// Characters that change what a text looks like, or hide in it, without being seen themselves.

/** A part of a text; `code` is set for a character that would not be seen as what it is. */
export interface Part {
  text: string;
  code?: string;
}

/** Controls, separators of lines, what turns the direction of writing, blanks without width, fillers, tags, variations. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const JOINER = 0x200d;
const EMOJI_SELECTOR = 0xfe0f;
/** Emoji are made of several characters, and some are digits. */
const BEFORE_JOINER = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u;
const BEFORE_SELECTOR = /[\p{Extended_Pictographic}0-9#*]$/u;

/** Whether it does there what it is for, so that nobody is misled. */
function harmless(text: string, at: number): boolean {
  const before = () => text.slice(Math.max(0, at - 2), at);
  switch (text.codePointAt(at)) {
    case 0x09:
    case 0x0a:
      return true;
    case 0x0d:
      return at + 1 === text.length || text[at + 1] === "\n";
    case JOINER:
      return BEFORE_JOINER.test(before());
    case EMOJI_SELECTOR:
      return BEFORE_SELECTOR.test(before());
    default:
      return false;
  }
}

/** The text in parts, those that would not be seen on their own. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(UNSEEN)) {
    if (harmless(text, match.index)) continue;
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ text: match[0], code: nameOf(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** Which of them a text holds, each once. */
export function unseenIn(text: string): string[] {
  return [...new Set(partsOf(text).flatMap(({ code }) => (code ? [code] : [])))];
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
