import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowUp, Square } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { call, ProblemError } from "../../api/http";
import { dronesQuery, sessionQuery } from "../../api/queries";
import { useOpenConnection } from "../../connection/provider";
import type { SubmitTurn, TurnAccepted } from "../../protocol/messages.gen";
import { useDraft } from "./draft";

const LONGEST_PROMPT = 200_000;

/** A key for one submission, so that sending it twice is one turn; also without TLS, where randomUUID is missing. */
function submissionKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

export interface PromptBoxProps {
  sessionId: string;
  /** The turn that runs now. */
  runningTurnId: string | undefined;
  /** Whether a prompt waits while a turn runs. */
  queues: boolean;
  onSubmitting(prompt: string | null): void;
}

export function PromptBox({ sessionId, runningTurnId, queues, onSubmitting }: PromptBoxProps) {
  const [draft, setDraft] = useDraft(sessionId);
  const area = useRef<HTMLTextAreaElement>(null);
  const attempt = useRef<{ prompt: string; key: string } | null>(null);
  const connection = useOpenConnection();
  const client = useQueryClient();

  const submit = useMutation({
    mutationFn: (prompt: string) => {
      // The same words again after a failure are the same submission.
      if (attempt.current?.prompt !== prompt) attempt.current = { prompt, key: submissionKey() };
      const body: SubmitTurn = { prompt };
      return call<TurnAccepted>(`/sessions/${sessionId}/turns`, {
        method: "POST",
        body,
        headers: { prefer: "respond-async", "idempotency-key": attempt.current.key },
      });
    },
    retry: (tries, error) => error instanceof ProblemError && error.unreachable && tries < 2,
    onMutate: (prompt) => {
      onSubmitting(prompt);
      setDraft("");
    },
    onSuccess: ({ turnId }) => {
      attempt.current = null;
      connection?.began(turnId);
      if (running) void client.invalidateQueries({ queryKey: sessionQuery(sessionId).queryKey });
    },
    onError: (_, prompt) => {
      onSubmitting(null);
      setDraft(prompt);
    },
  });
  const cancel = useMutation({ mutationFn: (id: string) => call(`/turns/${id}/cancel`, { method: "POST" }) });

  const prompt = draft.trim();
  const tooLong = draft.length > LONGEST_PROMPT;
  const running = runningTurnId !== undefined || submit.isPending;
  const canSend = prompt !== "" && !tooLong && !submit.isPending && (!running || queues);
  const words = running && queues ? "Send when this turn has ended" : "Send";

  useEffect(() => {
    if (window.matchMedia("(pointer: fine)").matches) area.current?.focus();
  }, []);

  function send() {
    if (canSend) submit.mutate(draft);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }

  return (
    <div className="mx-auto w-full max-w-3xl px-3 pb-3 sm:px-4 sm:pb-4">
      <BoxNotes
        failure={submit.error ?? cancel.error}
        tooLong={tooLong ? draft.length : null}
        waits={running && !queues && prompt !== ""}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
        className="flex items-end gap-2 rounded-2xl border border-line-strong bg-raised p-2 shadow-raised focus-within:border-accent"
      >
        <textarea
          ref={area}
          data-testid="prompt-input"
          aria-label="Prompt"
          placeholder="Say what shall be done"
          dir="auto"
          rows={1}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
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

function BoxNotes({
  failure,
  tooLong,
  waits,
}: {
  failure: Error | null;
  tooLong: number | null;
  waits: boolean;
}) {
  const drones = useQuery(dronesQuery);
  const away =
    drones.data && !drones.data.some((drone) => drone.status === "available" || drone.status === "busy");
  const text = failure
    ? failure.message
    : tooLong !== null
      ? `A prompt has at most ${LONGEST_PROMPT.toLocaleString()} characters; this one has ${tooLong.toLocaleString()}.`
      : null;
  return (
    <div className="px-2 pb-1.5 text-xs" aria-live="polite">
      {text && <p className="text-bad">{text}</p>}
      {!text && waits && <p className="text-faint">Kept for when this turn has ended.</p>}
      {away && (
        <p className="text-warn">
          No drone is connected, so nobody can work.{" "}
          <Link
            to="/settings/$section"
            params={{ section: "drones" }}
            className="underline underline-offset-2"
          >
            Connect one
          </Link>
        </p>
      )}
    </div>
  );
}
