import { Pencil } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { Button } from "../../ui/button";
import { composes } from "../../ui/composing";
import { CopyButton } from "../../ui/copy-button";
import { focusPrompt, useFocusBack } from "../../ui/return-focus";
import { tooLongWords } from "./box-notes";
import { forgetBranchFailure, useBranchFailures, useBranchForm } from "./branch";
import { useRewording, wordsOf } from "./draft";
import { useResend } from "./resend";

const BUBBLE =
  "max-w-[85%] whitespace-pre-wrap rounded-2xl rounded-br-md bg-accent-wash px-4 py-2.5 text-md [overflow-wrap:anywhere]";

/** What the person said. */
export function UserMessage({ text }: { text: string }) {
  return (
    <div className="flex justify-end">
      <div dir="auto" className={BUBBLE}>
        {text}
      </div>
    </div>
  );
}

/** A prompt that was sent: it can be copied, and sent again with other words. */
export function SentPrompt({ turnId, text }: { turnId: string; text: string }) {
  const { send, canSend, branch, canBranch, worktree } = useResend();
  const { words, asked, begin, type, end } = useRewording(wordsOf(turnId), text);
  const closed = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  useFocusBack(closed, words === null ? null : "edit");
  const [sending, setSending] = useState<"turn" | "branch" | null>(null);
  const failure = useBranchFailures((failures) => failures[turnId]?.why);
  useBranchForm(turnId, words !== null);
  if (words === null) {
    return (
      <div ref={closed} className="group/prompt">
        <UserMessage text={text} />
        <div className="mt-1 flex justify-end gap-1 opacity-0 focus-within:opacity-100 group-hover/prompt:opacity-100 pointer-coarse:opacity-100">
          <CopyButton text={text} label="Copy prompt" />
          <button
            type="button"
            data-opens="edit"
            onClick={begin}
            className="inline-flex items-center gap-1 rounded px-1.5 py-0.5 text-2xs text-faint hover:bg-sunken hover:text-ink"
          >
            <Pencil size={12} aria-hidden />
            Edit
          </button>
        </div>
      </div>
    );
  }

  const tooLong = tooLongWords(words);
  // Also when it is this one that is on its way, and the form was scrolled away and is back.
  const ready = words.trim() !== "" && !tooLong && !sending && canBranch;

  function sendInBranch() {
    if (!words || !ready) return;
    setSending("branch");
    branch(turnId, words, { onSettled: () => setSending(null) });
  }

  function sendAsTurn() {
    if (!words) return;
    setSending("turn");
    forgetBranchFailure(turnId);
    send(words, { onSuccess: arrived, onSettled: () => setSending(null) });
  }

  function cancel() {
    if (sending) return;
    forgetBranchFailure(turnId);
    end();
  }

  function arrived() {
    focusPrompt(form.current);
    end();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (composes(event.nativeEvent)) return;
    if (event.key === "Escape") cancel();
    else if (event.key === "Enter" && !event.shiftKey) sendInBranch();
    else return;
    event.preventDefault();
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        sendInBranch();
      }}
      className="ml-auto flex w-full flex-col gap-2 sm:max-w-[85%]"
    >
      <textarea
        aria-label="The prompt with other words"
        data-testid="edit-prompt"
        dir="auto"
        // biome-ignore lint/a11y/noAutofocus: it opens because the person asked for it
        autoFocus={asked}
        value={words}
        readOnly={sending !== null}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.target.scrollIntoView({ block: "nearest" })}
        className="thin-scroll -outline-offset-2 field-sizing-content max-h-[40dvh] w-full resize-none rounded-2xl rounded-br-md border border-line-strong bg-raised px-4 py-2.5 text-md"
      />
      {failure && (
        <p role="alert" className="text-sm text-bad">
          {failure}
        </p>
      )}
      <div className="text-xs text-bad" aria-live="polite">
        {tooLong}
      </div>
      <p className="text-xs text-faint">
        Enter sends it in a branch: a session that goes on from before this prompt.{" "}
        {worktree
          ? "Its worktree begins with what is committed in the project."
          : "Files stay as they are now."}
      </p>
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Button size="small" disabled={sending !== null} onClick={cancel}>
          Cancel
        </Button>
        <Button
          size="small"
          title="At the end of this session"
          busy={sending === "turn"}
          disabled={!ready || !canSend}
          onClick={sendAsTurn}
        >
          Send as a new turn
        </Button>
        <Button size="small" kind="primary" type="submit" busy={sending === "branch"} disabled={!ready}>
          Send in a branch
        </Button>
      </div>
    </form>
  );
}
