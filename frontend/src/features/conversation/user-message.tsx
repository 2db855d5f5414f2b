import { Pencil } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { Button } from "../../ui/button";
import { composes } from "../../ui/composing";
import { CopyButton } from "../../ui/copy-button";
import { focusPrompt, useFocusBack } from "../../ui/return-focus";
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
  const { send, canSend } = useResend();
  const { words, asked, begin, type, end } = useRewording(wordsOf(turnId), text);
  const closed = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  useFocusBack(closed, words === null ? null : "edit");
  const [sending, setSending] = useState(false);
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

  function submit() {
    if (!words?.trim() || !canSend) return;
    setSending(true);
    send(words, { onSuccess: arrived, onSettled: () => setSending(false) });
  }

  function arrived() {
    focusPrompt(form.current);
    end();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (composes(event.nativeEvent)) return;
    if (event.key === "Escape") end();
    else if (event.key === "Enter" && !event.shiftKey) submit();
    else return;
    event.preventDefault();
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="ml-auto flex w-full max-w-[85%] flex-col gap-2"
    >
      <textarea
        aria-label="The prompt with other words"
        data-testid="edit-prompt"
        dir="auto"
        // biome-ignore lint/a11y/noAutofocus: it opens because the person asked for it
        autoFocus={asked}
        value={words}
        readOnly={sending}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.target.scrollIntoView({ block: "nearest" })}
        className="thin-scroll -outline-offset-2 field-sizing-content max-h-[40dvh] w-full resize-none rounded-2xl rounded-br-md border border-line-strong bg-raised px-4 py-2.5 text-md"
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="min-w-40 flex-1 text-xs text-faint">
          It is sent as a new turn; what came of this one stays.
        </p>
        <Button size="small" onClick={end}>
          Cancel
        </Button>
        <Button size="small" kind="primary" type="submit" busy={sending} disabled={!words.trim() || !canSend}>
          Send
        </Button>
      </div>
    </form>
  );
}
