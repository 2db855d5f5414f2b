// Cuts code into pieces with a class for each kind of word. With the parsers it is heavy, so it is loaded for the first fence that needs it.
import { Language, LanguageSupport } from "@codemirror/language";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import { languageOf } from "../files/languages";
import type { Piece } from "./code-text";

/** The pieces of a text, which are all of it; null when the language has no parser. */
export async function piecesOf(ending: string, text: string): Promise<readonly Piece[] | null> {
  const found = await languageOf(ending === "dockerfile" ? ending : `code.${ending}`);
  const language = found instanceof LanguageSupport ? found.language : found;
  if (!(language instanceof Language)) return null;
  const pieces: Piece[] = [];
  let at = 0;
  const add = (piece: string, classes: string) => {
    const last = pieces.at(-1);
    if (last && last.classes === classes) last.text += piece;
    else pieces.push({ at, text: piece, classes });
    at += piece.length;
  };
  highlightCode(text, language.parser.parse(text), classHighlighter, add, () => add("\n", ""));
  return pieces;
}
