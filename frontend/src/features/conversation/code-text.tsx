import { memo, useEffect, useState } from "react";
import { endingOf } from "./fence-languages";

/** A part of a text, and the classes that say what kind of word it is. */
export interface Piece {
  at: number;
  text: string;
  classes: string;
}

/** Above this it stays plain: so many elements would make the page slow. */
const LONGEST = 50_000;
/** So many characters of coloured code are remembered, for what is scrolled out of sight and back. */
const REMEMBERED = 500_000;

const known = new Map<string, readonly Piece[]>();
let remembered = 0;

function remember(key: string, pieces: readonly Piece[]): void {
  if (!known.has(key)) remembered += key.length;
  known.set(key, pieces);
  for (const oldest of known.keys()) {
    if (remembered <= REMEMBERED) break;
    known.delete(oldest);
    remembered -= oldest.length;
  }
}

/** Code with the colours of its language, when it is finished and there are some; until then as plain text. */
export const CodeText = memo(function CodeText({
  language,
  text,
  growing,
}: {
  language: string;
  text: string;
  growing: boolean;
}) {
  const ending = growing || text.length > LONGEST ? null : endingOf(language);
  const key = ending && `${ending}\n${text}`;
  const [, setColoured] = useState<string | null>(null);
  const pieces = key === null ? undefined : known.get(key);
  useEffect(() => {
    if (ending === null || key === null || known.has(key)) return;
    let here = true;
    import("./code-colours")
      .then((colours) => colours.piecesOf(ending, text))
      .then((found) => {
        if (!found) return;
        remember(key, found);
        if (here) setColoured(key);
      })
      // What cannot be loaded, or parsed, can be read without colours.
      .catch(() => undefined);
    return () => {
      here = false;
    };
  }, [ending, key, text]);

  return (
    <code>
      {pieces?.map((piece) =>
        piece.classes ? (
          <span key={piece.at} className={piece.classes}>
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      ) ?? text}
    </code>
  );
});
