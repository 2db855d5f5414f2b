import { useIsMutating, useMutation } from "@tanstack/react-query";
import { ArrowUp, Square } from "lucide-react";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { call } from "../../api/http";
import type { SessionDetail } from "../../protocol/messages.gen";
import { composes } from "../../ui/composing";
import { attaching, LONG_PASTE_CHARS, withName } from "./attach";
import { BoxNotes, tooLongWords } from "./box-notes";
import { arrivesWithPrompt } from "./branch";
import { draftLeaves, draftOf, useDraft, writeDraft } from "./draft";
import * as history from "./history";
import { type Mention, mentionAt, type Suggestion, taken } from "./mention";
import { MentionList, useSuggestions } from "./mention-list";
import { PasteOffer } from "./paste-offer";
import { useSubmitPrompt } from "./submit-prompt";
import type { Submitting } from "./submitting";

export interface PromptBoxProps {
  session: SessionDetail;
  /** The turn that runs now. */
  runningTurnId: string | undefined;
  /** What was sent before, the latest first. */
  sent: readonly string[];
  submitting: Submitting;
}

/** Where a prompt is written: kept while it is typed, with what was sent before, and with names of files. */
export function PromptBox({ session, runningTurnId, sent, submitting }: PromptBoxProps) {
  const queues = session.whenBusy === "queue";
  const [draft] = useDraft(session.id);
  const area = useRef<HTMLTextAreaElement>(null);
  const place = useRef<history.Place | null>(null);
  const [pasted, setPasted] = useState<string | null>(null);
  /** What was pasted and cannot be taken: the draft as it was then. */
  const [refusedAt, setRefusedAt] = useState<string | null>(null);
  const submit = useSubmitPrompt(session.id, submitting, { draft: true });
  const cancel = useMutation({ mutationFn: (id: string) => call(`/turns/${id}/cancel`, { method: "POST" }) });
  const naming = useNaming(session, draft, put, area);

  // What is sent meanwhile would come back with the file's name.
  const attaches = useIsMutating({ mutationKey: attaching(session.id) }) > 0;
  const prompt = draft.trim();
  const tooLong = tooLongWords(draft);
  const running = runningTurnId !== undefined || submit.isPending;
  const canSend = prompt !== "" && !tooLong && !attaches && !submit.isPending && (!running || queues);
  const words = running && queues ? "Send when this turn has ended" : "Send";

  useEffect(() => {
    if (window.matchMedia("(pointer: fine)").matches) area.current?.focus();
  }, []);

  const arrived = useEffectEvent(() => {
    if (arrivesWithPrompt(session.id)) send();
  });
  useEffect(() => arrived(), []);

  /** Puts a text into the box, and the caret where it belongs. */
  function put(text: string, caret = text.length) {
    // At once: the next key may be on its way.
    flushSync(() => writeDraft(session.id, text));
    area.current?.focus();
    area.current?.setSelectionRange(caret, caret);
  }

  function send() {
    if (!canSend) return;
    place.current = null;
    setPasted(null);
    cancel.reset();
    submit.mutate(draftLeaves(session.id));
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (composes(event.nativeEvent) || naming.onKeyDown(event)) return;
    const plain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    if ((event.key === "ArrowUp" || event.key === "ArrowDown") && plain) {
      const next = history.step(sent, place.current, draft, event.key);
      if (!next) return;
      event.preventDefault();
      place.current = next;
      put(next.text);
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    }
  }

  function onPaste(event: ClipboardEvent) {
    const text = event.clipboardData.getData("text/plain").replaceAll(/\r\n?/g, "\n");
    if (text.length > LONG_PASTE_CHARS) setPasted(text);
    setRefusedAt(text === "" && event.clipboardData.files.length > 0 ? draft : null);
  }

  return (
    <div className="mx-auto w-full max-w-3xl px-3 pb-3 sm:px-4 sm:pb-4">
      {pasted !== null && (
        <PasteOffer
          session={session}
          pasted={pasted}
          onAttached={(name) => {
            setPasted(null);
            const now = draftOf(session.id);
            if (now) put(withName(now, pasted, name));
          }}
          onKeep={() => setPasted(null)}
        />
      )}
      <BoxNotes
        // That a turn could not be stopped matters for as long as it runs.
        failure={submit.error ?? (cancel.variables === runningTurnId ? cancel.error : null)}
        tooLong={tooLong}
        noFiles={refusedAt === draft}
        waits={running && !queues && prompt !== ""}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
        className="relative flex items-end gap-2 rounded-2xl border border-line-strong bg-raised p-2 shadow-raised focus-within:border-accent"
      >
        {naming.list}
        <textarea
          ref={area}
          data-testid="prompt-input"
          aria-label="Prompt"
          placeholder="Say what should be done"
          dir="auto"
          rows={1}
          value={draft}
          {...naming.aria}
          onChange={(event) => {
            writeDraft(session.id, event.target.value);
            naming.look(event.target.value, event.target.selectionStart);
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onSelect={(event) => naming.follow(event.currentTarget.selectionStart)}
          onBlur={naming.close}
          className="thin-scroll field-sizing-content max-h-[40dvh] min-h-8 min-w-0 flex-1 resize-none bg-transparent px-2 py-1 text-md outline-none"
        />
        {runningTurnId !== undefined && (
          <button
            type="button"
            data-testid="stop-turn"
            aria-label="Stop"
            title="Stop"
            disabled={cancel.isPending}
            onClick={() => cancel.mutate(runningTurnId)}
            className="grid size-8 shrink-0 place-items-center rounded-full border border-line-strong text-ink hover:bg-bad-wash hover:text-bad disabled:opacity-50"
          >
            <Square size={12} fill="currentColor" aria-hidden />
          </button>
        )}
        <button
          type="submit"
          data-testid="prompt-send"
          aria-label={words}
          title={`${words} (Enter)`}
          disabled={!canSend}
          className="grid size-8 shrink-0 place-items-center rounded-full bg-accent text-accent-ink hover:brightness-110 disabled:bg-sunken disabled:text-faint"
        >
          <ArrowUp size={17} aria-hidden />
        </button>
      </form>
    </div>
  );
}

/** Lets a file be named after an "@": a list above the box, gone through with the arrow keys. */
function useNaming(
  session: SessionDetail,
  draft: string,
  put: (text: string, caret: number) => void,
  area: { current: HTMLTextAreaElement | null },
) {
  const [mention, setMention] = useState<Mention | null>(null);
  const [active, setActive] = useState(0);
  const { found, nothing } = useSuggestions(session, mention);
  const id = useId();
  const at = Math.min(active, Math.max(0, found.length - 1));

  function look(text: string, caret: number) {
    setMention(mentionAt(text, caret));
    setActive(0);
  }

  function choose(suggestion: Suggestion) {
    if (!mention) return;
    const next = taken(draft, mention, suggestion);
    put(next.text, next.caret);
    if (suggestion.isFolder) look(next.text, next.caret);
    else setMention(null);
  }

  return {
    look,
    close: () => setMention(null),
    /** A caret that leaves the name ends the naming. */
    follow(caret: number) {
      if (mention && area.current?.value === draft && caret !== mention.end)
        setMention(mentionAt(draft, caret));
    },
    /** Whether the key was for the list. */
    onKeyDown(event: KeyboardEvent): boolean {
      if (!mention) return false;
      const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      const chosen = found[at];
      if (by !== 0 && found.length > 0) setActive((at + by + found.length) % found.length);
      else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey && chosen) choose(chosen);
      else if (event.key === "Escape") setMention(null);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
    aria: mention
      ? {
          "aria-controls": id,
          "aria-autocomplete": "list" as const,
          "aria-activedescendant": found.length > 0 ? `${id}-${at}` : undefined,
        }
      : {},
    list: mention && <MentionList id={id} found={found} active={at} nothing={nothing} onChoose={choose} />,
  };
}
