// CodeMirror as this page uses it. It lives in a shadow root: there its styles are constructed sheets, which the page's strict
// content policy allows, while a <style> element in the document would be refused.
import { defaultKeymap, history, historyKeymap, indentWithTab, standardKeymap } from "@codemirror/commands";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { languageOf } from "./languages";
import { lineBreakOf } from "./line-breaks";

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.escape], color: "var(--warn)" },
  { tag: [tags.comment, tags.meta], color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.typeName, tags.className, tags.tagName, tags.namespace], color: "var(--accent)" },
  { tag: [tags.propertyName, tags.attributeName], color: "var(--soft)" },
  { tag: [tags.heading, tags.strong], fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: [tags.link, tags.url], textDecoration: "underline" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

const THEME = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--ground)", fontSize: "12.5px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "1.55", scrollbarWidth: "thin" },
  ".cm-content": { caretColor: "var(--accent)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--ground)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": {
    backgroundColor: "color-mix(in oklch, var(--sunken) 55%, transparent)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in oklch, var(--accent) 26%, transparent)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--accent-wash)" },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--accent-wash)",
    outline: "1px solid var(--line-strong)",
  },
  ".cm-searchMatch": { backgroundColor: "var(--warn-wash)", outline: "1px solid var(--warn)" },
  ".cm-specialChar": { color: "var(--bad)" },
  ".cm-panels": { backgroundColor: "var(--side)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panel.cm-search": { fontFamily: "var(--font-sans)", fontSize: "12px" },
  ".cm-textfield": {
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line-strong)",
    borderRadius: "4px",
  },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line-strong)",
    borderRadius: "4px",
  },
  ".cm-changedLine": { backgroundColor: "color-mix(in oklch, var(--warn) 12%, transparent)" },
  ".cm-changedText": { background: "color-mix(in oklch, var(--warn) 28%, transparent)" },
  ".cm-deletedChunk, .cm-deletedLine": { backgroundColor: "var(--bad-wash)" },
  ".cm-deletedText": { background: "color-mix(in oklch, var(--bad) 26%, transparent)" },
  ".cm-insertedLine": { backgroundColor: "var(--accent-wash)" },
  ".cm-collapsedLines": { background: "var(--sunken)", color: "var(--soft)" },
  ".cm-chunkButtons button": {
    font: "500 11px var(--font-sans)",
    padding: "1px 7px",
    marginLeft: "4px",
    color: "var(--ink)",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line-strong)",
    borderRadius: "4px",
    cursor: "pointer",
  },
});

/** How code looks here, without what is for typing only. */
export const APPEARANCE: Extension = [
  THEME,
  syntaxHighlighting(COLOURS),
  lineNumbers(),
  highlightSpecialChars(),
  drawSelection(),
  bracketMatching(),
  keymap.of(standardKeymap),
];

/** What typing needs. */
export const TYPING: Extension = [
  history(),
  indentOnInput(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  search({ top: true }),
  keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
];

/** The shadow root of an element; it can be asked for again. */
export function shadowOf(host: HTMLElement): ShadowRoot {
  return host.shadowRoot ?? host.attachShadow({ mode: "open" });
}

export interface CodeEditorOptions {
  text: string;
  path: string;
  readOnly: boolean;
  onChange(): void;
  onSave(): void;
}

/** One file that is shown and typed in. */
export class CodeEditor {
  private readonly view: EditorView;
  private readonly readOnly = new Compartment();
  private readonly language = new Compartment();
  private languageExtension: Extension = [];
  private destroyed = false;

  constructor(
    host: HTMLElement,
    private readonly options: CodeEditorOptions,
  ) {
    const root = shadowOf(host);
    this.view = new EditorView({ root, parent: root, state: this.state(options.text, options.readOnly) });
    void languageOf(options.path).then((extension) => {
      this.languageExtension = extension;
      if (!this.destroyed) this.view.dispatch({ effects: this.language.reconfigure(extension) });
    });
  }

  /** The text as a file has it, with its own line breaks. */
  get text(): string {
    return this.view.state.sliceDoc();
  }

  get doc(): Text {
    return this.view.state.doc;
  }

  /** Another text, which nobody typed: what could be undone is forgotten. */
  replace(text: string): void {
    const { scrollTop } = this.view.scrollDOM;
    const { anchor } = this.view.state.selection.main;
    this.view.setState(this.state(text, this.view.state.readOnly, anchor));
    this.view.scrollDOM.scrollTop = scrollTop;
  }

  setReadOnly(readOnly: boolean): void {
    if (readOnly !== this.view.state.readOnly)
      this.view.dispatch({ effects: this.readOnly.reconfigure(EditorState.readOnly.of(readOnly)) });
  }

  focus(): void {
    this.view.focus();
  }

  destroy(): void {
    this.destroyed = true;
    this.view.destroy();
  }

  private state(text: string, readOnly: boolean, anchor = 0): EditorState {
    const lineBreak = lineBreakOf(text);
    const doc = EditorState.create({ doc: text, extensions: EditorState.lineSeparator.of(lineBreak) }).doc;
    return EditorState.create({
      doc,
      selection: { anchor: Math.min(anchor, doc.length) },
      extensions: [
        EditorState.lineSeparator.of(lineBreak),
        keymap.of([
          {
            key: "Mod-s",
            preventDefault: true,
            run: () => {
              this.options.onSave();
              return true;
            },
          },
        ]),
        APPEARANCE,
        TYPING,
        indentUnit.of(
          /^\t/m.test(text) ? "\t" : /^ {4}\S/m.test(text) && !/^ {2}\S/m.test(text) ? "    " : "  ",
        ),
        this.language.of(this.languageExtension),
        this.readOnly.of(EditorState.readOnly.of(readOnly)),
        EditorView.contentAttributes.of({ "aria-label": this.options.path, spellcheck: "false" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.options.onChange();
        }),
      ],
    });
  }
}
