import { EditorState } from "@codemirror/state";
import { expect, it } from "vitest";
import { lineBreakOf } from "./line-breaks";

const through = (text: string) => {
  const separator = EditorState.lineSeparator.of(lineBreakOf(text));
  return EditorState.create({ doc: text, extensions: separator }).sliceDoc();
};

it.each([
  "",
  "one",
  "one\ntwo\n",
  "one\r\ntwo\r\n",
  "one\r\ntwo\nthree\r\n",
  "one\rtwo",
  "\n\r\n",
  "\r\n\r\n",
  "\r\r\n",
])("%j comes out of the editor as it went in", (text) => {
  expect(through(text)).toBe(text);
});

it("a text with one kind of line breaks keeps that kind for new lines", () => {
  expect([lineBreakOf("a\r\nb\r\n"), lineBreakOf("a\nb"), lineBreakOf("a\r\nb\n")]).toEqual([
    "\r\n",
    "\n",
    "\n",
  ]);
});
