import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useMemo, useRef, useState } from "react";
import type { FileView } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Notice } from "../../ui/notice";
import { narrow } from "../panel/panel-state";
import { APPEARANCE, shadowOf, TYPING } from "./code-editor";
import { lineBreakOf } from "./line-breaks";
import { merge } from "./merge";

export interface Conflict {
  mine: string;
  /** The file as it is now; null when it is gone. */
  current: FileView | null;
  /** What both began as; null when that is not known any more. */
  base: string | null;
}

/** The file is another one by now: the person chooses, or puts both texts together. */
export function ConflictDialog({
  path,
  conflict,
  busy,
  problem,
  onSave,
  onTheirs,
  onType,
  onClose,
}: {
  path: string;
  conflict: Conflict;
  busy: boolean;
  /** Why it could not be saved. */
  problem: string | null;
  /** Save this text in place of what is there now. */
  onSave(text: string): void;
  /** Forget what was typed. */
  onTheirs(): void;
  /** The text was changed here. */
  onType(text: string): void;
  /** Leave the file as it is, with the text as it was typed here. */
  onClose(): void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const [small] = useState(narrow.matches);
  const theirs = conflict.current?.text ?? null;
  const { mine, base } = conflict;
  // What only one of both changed needs nobody to choose.
  const begun = useMemo(
    () => (theirs === null || base === null ? { text: mine, left: null } : merge(base, mine, theirs)),
    [mine, theirs, base],
  );
  const typed = useRef(onType);
  typed.current = onType;

  useEffect(() => {
    if (!host.current || theirs === null) return;
    const root = shadowOf(host.current);
    const listens = EditorView.updateListener.of((update) => {
      if (update.docChanged) typed.current(update.state.sliceDoc());
    });
    const shown = small
      ? unified(root, begun.text, theirs, listens)
      : sideBySide(root, begun.text, theirs, listens);
    editor.current = shown.editor;
    return () => {
      editor.current = null;
      shown.destroy();
    };
  }, [begun, theirs, small]);

  const text = () => editor.current?.state.sliceDoc() ?? mine;
  const saveWords = conflict.current === null ? "Create it again" : "Save this text";
  const canSave = conflict.current === null || theirs !== null;
  return (
    <Dialog title={`${path} was changed meanwhile`} onClose={onClose} size="page">
      <div className="flex flex-col gap-3" data-testid="conflict">
        {conflict.current === null && (
          <Notice tone="warn">The file is gone on the drone. What you typed is still here.</Notice>
        )}
        {conflict.current !== null && theirs === null && (
          <Notice tone="warn">
            The file on the drone is no text of at most 1 MiB any more, so the two cannot be put together.
            Copy your text from the editor, or take the file as it is.
          </Notice>
        )}
        {theirs !== null && (
          <>
            <p className="text-sm text-soft">
              {small
                ? "What is on the drone is shown in red above your text, change by change."
                : "On the left is the file as it is on the drone, on the right your text. An arrow takes over a change from the left."}
            </p>
            {begun.left !== null && begun.text !== theirs && (
              <p className="text-sm text-soft" data-testid="merge-left" data-left={begun.left}>
                {leftWords(begun.left)}
              </p>
            )}
            <div
              ref={host}
              data-testid="merge"
              className="h-[60dvh] overflow-auto max-sm:h-[42dvh] rounded-lg border bg-ground"
            />
          </>
        )}
        {problem && <Notice tone="bad">{problem}</Notice>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Go on typing</Button>
          <Button kind="danger" onClick={onTheirs} data-testid="conflict-theirs">
            Forget my text
          </Button>
          {canSave && (
            <Button kind="primary" busy={busy} data-testid="conflict-save" onClick={() => onSave(text())}>
              {saveWords}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function leftWords(left: number): string {
  if (left === 0) return "What was changed on the drone is in your text already: look it over and save it.";
  const places = left === 1 ? "one place" : `${left} places`;
  return `What was changed on the drone is in your text already, but for ${places} where both changed the same lines: there it has yours.`;
}

interface Shown {
  editor: EditorView;
  destroy(): void;
}

const separator = (text: string) => EditorState.lineSeparator.of(lineBreakOf(text));
const named = (label: string) => EditorView.contentAttributes.of({ "aria-label": label });

function sideBySide(root: ShadowRoot, mine: string, theirs: string, listens: Extension): Shown {
  const view = new MergeView({
    root,
    parent: root,
    a: {
      doc: theirs,
      extensions: [APPEARANCE, separator(theirs), EditorState.readOnly.of(true), named("On the drone now")],
    },
    b: { doc: mine, extensions: [APPEARANCE, TYPING, separator(mine), named("Your text"), listens] },
    revertControls: "a-to-b",
    collapseUnchanged: { margin: 4, minSize: 8 },
  });
  return { editor: view.b, destroy: () => view.destroy() };
}

/** Kept is the change of one's own text, or what stood there on the drone. */
function mergeControls(kind: "accept" | "reject", action: (event: MouseEvent) => void): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = kind === "accept" ? "Mine" : "Theirs";
  button.addEventListener("click", action);
  return button;
}

function unified(root: ShadowRoot, mine: string, theirs: string, listens: Extension): Shown {
  const view = new EditorView({
    root,
    parent: root,
    doc: mine,
    extensions: [
      APPEARANCE,
      TYPING,
      separator(mine),
      EditorView.lineWrapping,
      unifiedMergeView({
        original: theirs,
        mergeControls,
        collapseUnchanged: { margin: 3, minSize: 6 },
      }),
      named("Your text"),
      listens,
    ],
  });
  return { editor: view, destroy: () => view.destroy() };
}
