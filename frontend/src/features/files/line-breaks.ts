/**
 * What separates the lines of a text, so that it comes out of the editor as it went in: one that mixes both kinds is cut at line
 * feeds only, and its carriage returns stay where they are.
 */
export function lineBreakOf(text: string): "\n" | "\r\n" {
  return /\r\n/.test(text) && !/(^|[^\r])\n|\r(?!\n)/.test(text) ? "\r\n" : "\n";
}
