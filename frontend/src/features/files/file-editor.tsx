import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowLeft, Save, X } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { changesQuery, conflictOf, createEntry, fileQuery, saveFile, workspaceKey } from "../../api/files";
import { messageOf, ProblemError } from "../../api/http";
import type { FileView } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Notice } from "../../ui/notice";
import { PlainText } from "../../ui/plain-text";
import { useFocusOnce } from "../../ui/return-focus";
import { CodeEditor } from "./code-editor";
import { type Conflict, ConflictDialog } from "./conflict-dialog";
import { dropDraft, keepDraft, readDraft } from "./drafts";
import type { WorkspaceAccess } from "./workspace-access";

export interface FileEditorProps {
  sessionId: string;
  path: string;
  access: WorkspaceAccess;
  /** That a person has just opened it; another one each time. */
  asked: object | null;
  /** Unsaved text of a file began, or ended. */
  onDraft(): void;
  onClose(): void;
}

/** One open file. */
export function FileEditor(props: FileEditorProps) {
  const { sessionId, path, asked, onClose } = props;
  const box = useRef<HTMLElement>(null);
  useFocusOnce(box, asked);
  const file = useQuery(fileQuery(sessionId, path));
  const gone = file.error instanceof ProblemError && file.error.status === 404;
  // Once it is shown as a text it stays, whatever becomes of the file: somebody may be typing.
  const [text, setText] = useState<FileView | null>(null);
  if (!text && file.data?.kind === "text") setText(file.data);

  if (text) {
    const present = gone ? null : file.data;
    return <TextEditor {...props} first={text} present={present} trouble={gone ? null : file.error} />;
  }
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={path}
      data-testid="file-editor"
      className="flex min-w-0 flex-1 flex-col -outline-offset-2"
    >
      <EditorHead path={path} onClose={onClose} />
      {file.data && (
        <EmptyState title={file.data.kind === "binary" ? "This is no text" : "This file is too large"}>
          {file.data.kind === "binary"
            ? `A file of ${file.data.size.toLocaleString()} bytes that is not UTF-8 text is not shown here.`
            : `It has ${file.data.size.toLocaleString()} bytes; text of at most 1 MiB is shown here.`}
        </EmptyState>
      )}
      {file.error && (
        <div className="p-3">
          <Notice
            tone="bad"
            action={
              <Button size="small" busy={file.isFetching} onClick={() => void file.refetch()}>
                Try again
              </Button>
            }
          >
            {messageOf(file.error)}
          </Notice>
        </div>
      )}
      {file.isPending && (
        <p className="p-4 text-sm text-faint">
          <PlainText text={`Reading ${path} …`} />
        </p>
      )}
    </section>
  );
}

function EditorHead({
  path,
  unsaved = false,
  onClose,
  children,
}: {
  path: string;
  unsaved?: boolean;
  onClose(): void;
  children?: React.ReactNode;
}) {
  return (
    <div className="flex h-9 shrink-0 items-center gap-1 border-b px-1.5">
      <Button
        kind="quiet"
        size="icon"
        aria-label="Back to the files"
        title="Back to the files"
        onClick={onClose}
        className="@min-[640px]:hidden"
      >
        <ArrowLeft size={15} aria-hidden />
      </Button>
      <h2 className="min-w-0 flex-1 truncate px-1 font-mono text-xs" title={path} dir="ltr">
        <PlainText text={path} />
        {unsaved && (
          <span className="text-warn" data-testid="file-unsaved">
            {" "}
            · unsaved
          </span>
        )}
      </h2>
      {children}
      <Button
        kind="quiet"
        size="icon"
        aria-label="Close the file"
        title="Close the file"
        onClick={onClose}
        className="@max-[640px]:hidden"
      >
        <X size={15} aria-hidden />
      </Button>
    </div>
  );
}

const DRAFT_MILLIS = 300;

interface TextEditorProps extends FileEditorProps {
  first: FileView;
  /** The file as the drone has it by what was read last; null when it is gone. */
  present: FileView | null | undefined;
  trouble: Error | null;
}

function TextEditor(props: TextEditorProps) {
  const { sessionId, path, access, asked, onDraft, onClose, first, present, trouble } = props;
  const client = useQueryClient();
  const box = useRef<HTMLElement>(null);
  useFocusOnce(box, asked);
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | null>(null);
  // Read before anything else happens, so that the text of the drone does not take its place.
  const [draft] = useState(() => readDraft(sessionId, path));
  // What the editor's text began as, and would be saved over.
  const base = useRef({ text: first.text ?? "", sha256: draft?.sha256 ?? first.sha256 ?? "" });
  // What the text here and the file on the drone both began as, as far as it is known.
  const common = useRef(!draft || draft.sha256 === first.sha256 ? base.current.text : draft.base);
  const [unsaved, setUnsaved] = useState(draft !== null);
  const [kept, setKept] = useState(true);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const readOnly = access.mode === "agent" || access.mode === "away";

  // What is being put together with the file as it is now, which is not in the editor yet.
  const merged = useRef<{ text: string; common: string | null } | null>(null);
  const keep = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const text = merged.current?.text ?? editor.current?.text;
    if (text === undefined) return;
    const changed = text !== base.current.text;
    const began = merged.current ? merged.current.common : common.current;
    if (changed) setKept(keepDraft(sessionId, path, text, base.current.sha256, began));
    else dropDraft(sessionId, path);
    setUnsaved(changed);
    onDraft();
  }, [sessionId, path, onDraft]);

  const settle = useCallback(
    async (file: FileView, text: string) => {
      base.current = { text, sha256: file.sha256 ?? "" };
      common.current = text;
      const { queryKey } = fileQuery(sessionId, path);
      // A read that began before this was saved would bring back what was there before.
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, { ...file, text });
      void client.invalidateQueries({ queryKey: changesQuery(sessionId).queryKey });
      void client.invalidateQueries({ queryKey: [...workspaceKey(sessionId), "diff"] });
      void client.invalidateQueries({ queryKey: [...workspaceKey(sessionId), "folder"] });
      keep();
    },
    [client, sessionId, path, keep],
  );

  const save = useMutation({
    mutationFn: async (wanted: { text: string; over: string | null }) => {
      await access.takeOver();
      const file =
        wanted.over === null
          ? await createEntry(sessionId, path, { type: "file", text: wanted.text })
          : await saveFile(sessionId, path, { text: wanted.text, expectedSha256: wanted.over });
      if (!file) throw new Error("The service did not say how the file is now. Read it again.");
      return file;
    },
    onSuccess: (file, { text }) => {
      closeConflict();
      if (conflict) editor.current?.replace(text);
      return settle(file, text);
    },
    onError: (error, { text }) => {
      const current = conflictOf(error);
      // Somebody may have typed on while it was being saved; over the dialog nobody does.
      const mine = conflict ? text : (editor.current?.text ?? text);
      // What was put together with one version of the file goes on from there with the next.
      const began = conflict ? (conflict.current?.text ?? conflict.base) : common.current;
      if (current !== undefined) setConflict({ mine, current, base: began });
    },
  });

  const saveNow = () => {
    const text = editor.current?.text;
    if (text !== undefined && !readOnly && !save.isPending && text !== base.current.text)
      save.mutate({ text, over: base.current.sha256 });
  };
  const keepSoon = () => {
    if (timer.current === undefined) timer.current = setTimeout(keep, DRAFT_MILLIS);
  };
  const typed = () => {
    keepSoon();
    if (access.mode === "idle" && !takeOver.isPending) takeOver.mutate();
  };
  const takeOver = useMutation({ mutationFn: () => access.takeOver() });

  // The editor is made once and calls what is current.
  const calls = useRef({ saveNow, typed });
  calls.current = { saveNow, typed };
  const begin = useRef({ readOnly, keep });
  begin.current.keep = keep;

  useEffect(() => {
    if (!host.current) return;
    const made = new CodeEditor(host.current, {
      text: draft?.text ?? base.current.text,
      path,
      readOnly: begin.current.readOnly,
      onChange: () => calls.current.typed(),
      onSave: () => calls.current.saveNow(),
    });
    editor.current = made;
    const leave = () => {
      if (timer.current !== undefined) begin.current.keep();
    };
    window.addEventListener("pagehide", leave);
    return () => {
      leave();
      window.removeEventListener("pagehide", leave);
      editor.current = null;
      made.destroy();
    };
  }, [draft, path]);

  useEffect(() => editor.current?.setReadOnly(readOnly), [readOnly]);

  useEffect(() => {
    if (present?.kind !== "text" || present.sha256 === base.current.sha256) return;
    if (unsaved || timer.current !== undefined || save.isPending) return;
    base.current = { text: present.text ?? "", sha256: present.sha256 ?? "" };
    common.current = base.current.text;
    editor.current?.replace(base.current.text);
  }, [present, unsaved, save.isPending]);

  const stale = unsaved && (present === null || (present && present.sha256 !== base.current.sha256));
  const failed = save.error && conflictOf(save.error) === undefined ? save.error : null;
  const problem = failed ?? takeOver.error;

  function forget() {
    const current = conflict?.current ?? present;
    closeConflict();
    dropDraft(sessionId, path);
    if (current?.kind === "text") {
      editor.current?.replace(current.text ?? "");
      void settle(current, current.text ?? "");
    } else {
      setUnsaved(false);
      onDraft();
      void client.invalidateQueries({ queryKey: workspaceKey(sessionId) });
      onClose();
    }
  }

  function goOn() {
    const typedThere = merged.current;
    const mine = conflict?.mine;
    closeConflict();
    if (typedThere) common.current = typedThere.common;
    const text = typedThere?.text ?? mine;
    if (text === undefined || text === editor.current?.text) return;
    editor.current?.replace(text);
    keep();
  }

  function closeConflict() {
    merged.current = null;
    setConflict(null);
  }

  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={path}
      data-testid="file-editor"
      className="flex min-w-0 flex-1 flex-col -outline-offset-2"
    >
      <EditorHead path={path} unsaved={unsaved} onClose={onClose}>
        <Button
          size="small"
          kind={unsaved ? "primary" : "plain"}
          data-testid="file-save"
          title="Save (Ctrl+S)"
          disabled={!unsaved || readOnly}
          busy={save.isPending}
          onClick={saveNow}
        >
          <Save size={13} aria-hidden />
          Save
        </Button>
      </EditorHead>
      <ModeLine
        access={access}
        unsaved={unsaved}
        busy={takeOver.isPending}
        onTakeOver={() => takeOver.mutate()}
      />
      <div className="flex flex-col gap-1.5 px-2 empty:hidden">
        {problem && <Notice tone="bad">{messageOf(problem)}</Notice>}
        {trouble && <Notice tone="warn">{messageOf(trouble)}</Notice>}
        {!kept && (
          <Notice tone="warn">The browser has no room to keep this text over a reload. Save it soon.</Notice>
        )}
        {!unsaved && present === null && (
          <Notice tone="warn">The file is gone on the drone. What is shown here is how it was.</Notice>
        )}
        {!unsaved && present && present.kind !== "text" && (
          <Notice tone="warn">
            The file on the drone is no text of at most 1 MiB any more. What is shown here is how it was.
          </Notice>
        )}
        {stale && (
          <Notice
            tone="warn"
            action={
              <Button
                size="small"
                onClick={() => {
                  save.reset();
                  setConflict({
                    mine: editor.current?.text ?? "",
                    current: present ?? null,
                    base: common.current,
                  });
                }}
              >
                Compare
              </Button>
            }
          >
            {present === null
              ? "The file is gone on the drone; your text is kept here."
              : "The file was changed on the drone since your text began."}
          </Notice>
        )}
      </div>
      <div ref={host} data-testid="code" className="mt-1 min-h-0 flex-1" />
      {conflict && (
        <ConflictDialog
          path={path}
          conflict={conflict}
          busy={save.isPending}
          problem={failed && messageOf(failed)}
          onSave={(text) => save.mutate({ text, over: conflict.current?.sha256 ?? null })}
          onTheirs={forget}
          onType={(text) => {
            merged.current = { text, common: conflict.current?.text ?? conflict.base };
            keepSoon();
          }}
          onClose={goOn}
        />
      )}
    </section>
  );
}

/** Says who may write, and lets the person take the workspace or give it back. */
function ModeLine({
  access,
  unsaved,
  busy,
  onTakeOver,
}: {
  access: WorkspaceAccess;
  unsaved: boolean;
  busy: boolean;
  onTakeOver(): void;
}) {
  const keptWords = unsaved ? " What you typed is kept here." : "";
  const words = {
    agent: `The agent works here: read only until its turn ends.${keptWords}`,
    away: `The drone is not connected: read only until it is back.${keptWords}`,
    idle: "Nobody writes here now.",
    user: "You write here; a prompt gives the workspace to the agent.",
  }[access.mode];
  return (
    <div
      role="status"
      data-testid="file-mode"
      data-mode={access.mode}
      className={`flex min-h-8 shrink-0 items-center gap-2 px-3 py-0.5 text-xs ${access.mode === "agent" || access.mode === "away" ? "bg-warn-wash text-warn" : "text-faint"}`}
    >
      <span className="min-w-0 flex-1">{words}</span>
      {access.mode === "idle" && (
        <Button size="small" data-testid="take-over" busy={busy} onClick={onTakeOver}>
          Take over
        </Button>
      )}
      {access.mode === "user" && !unsaved && (
        <Button kind="quiet" size="small" onClick={() => void access.giveBack().catch(() => undefined)}>
          Give back
        </Button>
      )}
    </div>
  );
}
