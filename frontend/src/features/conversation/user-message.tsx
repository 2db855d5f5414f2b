import { Pencil } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { Button } from "../../ui/button";
import { composes } from "../../ui/composing";
import { CopyButton } from "../../ui/copy-button";
import { Check } from "../../ui/field";
import { focusPrompt, useFocusBack } from "../../ui/return-focus";
import { tooLongWords } from "./box-notes";
import { forgetBranchFailure, useBranchFailures, useBranchForm } from "./branch";
import { useRewording, wordsOf } from "./draft";
import { useKept } from "./kept";
import { type PutBack, sofar, usePutBack } from "./put-back";
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
  const { send, canSend, branch, canBranch, worktree, sessionId, changedSince } = useResend();
  const { words, asked, begin, type, end } = useRewording(wordsOf(turnId), text);
  const closed = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  useFocusBack(closed, words === null ? null : "edit");
  const [sent, setSent] = useState<"turn" | "branch" | null>(null);
  const failure = useBranchFailures((failures) => failures[turnId]?.why);
  useBranchForm(turnId, words !== null);
  const [wanted, setWanted] = useKept(`${turnId}/put-back`, false);
  const { state: back, inSession, putBack, forget } = usePutBack(sessionId, turnId);
  // Also where it began before the form was scrolled away.
  const sending = sent ?? (back && !back.why ? "branch" : null);
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
  const ready = words.trim() !== "" && !tooLong && !sending && !inSession && canBranch;

  // A worktree of its own begins with what is committed, whatever is here.
  const changedNow = () => (worktree ? [] : changedSince(turnId));
  const changed = changedNow();

  function sendInBranch() {
    if (!words || !ready) return;
    setSent("branch");
    forget();
    branch(turnId, words, { onSettled: () => setSent(null) });
  }

  async function goBack(forced?: string) {
    if (!words || !ready) return;
    const turnIds = wanted ? changedNow() : [];
    if (turnIds.length === 0 || (await putBack(turnIds, words, forced))) sendInBranch();
  }

  function sendAsTurn() {
    if (!words) return;
    setSent("turn");
    forgetBranchFailure(turnId);
    send(words, { onSuccess: arrived, onSettled: () => setSent(null) });
  }

  function cancel() {
    if (sending) return;
    forgetBranchFailure(turnId);
    forget();
    end();
  }

  function arrived() {
    focusPrompt(form.current);
    end();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (composes(event.nativeEvent)) return;
    if (event.key === "Escape") cancel();
    else if (event.key === "Enter" && !event.shiftKey) void goBack();
    else return;
    event.preventDefault();
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void goBack();
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
      {failure && !back?.why && (
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
          : wanted && changed.length > 0
            ? ""
            : "Files stay as they are now."}
      </p>
      {changed.length > 0 && (
        <Check
          label="and put the files back"
          hint={`Undoes what ${changed.length === 1 ? "1 turn" : `${changed.length} turns`} from this one on changed in files, the newest first.`}
          data-testid="put-back"
          checked={wanted}
          disabled={sending !== null}
          onChange={(event) => setWanted(event.target.checked)}
        />
      )}
      {back && (
        <PutBackState
          back={back}
          busy={sending !== null}
          onForce={() => void goBack(back.forcible)}
          onWithout={sendInBranch}
        />
      )}
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

/** How far it is, or why it stopped and what can be done then. */
function PutBackState({
  back,
  busy,
  onForce,
  onWithout,
}: {
  back: PutBack;
  busy: boolean;
  onForce(): void;
  onWithout(): void;
}) {
  if (!back.why) {
    return (
      <p role="status" className="text-xs text-faint" data-testid="put-back-state">
        Putting the files back: {sofar(back)} …
      </p>
    );
  }
  return (
    <div
      role="alert"
      data-testid="put-back-state"
      className="flex flex-wrap items-center justify-end gap-2 text-sm text-warn [overflow-wrap:anywhere]"
    >
      <span className="min-w-0 flex-1 basis-60">
        {back.why} ({sofar(back)}.)
      </span>
      {back.forcible && (
        <Button kind="danger" size="small" disabled={busy} onClick={onForce}>
          Undo anyway
        </Button>
      )}
      <Button size="small" disabled={busy} onClick={onWithout}>
        Branch without
      </Button>
    </div>
  );
}
