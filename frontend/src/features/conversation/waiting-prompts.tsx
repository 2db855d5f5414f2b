import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronDown, ChevronUp, Clock, OctagonX, Pencil, SendHorizontal, X } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { useDroneOf } from "../../api/drones";
import { call } from "../../api/http";
import { sessionQuery, sessionsQuery } from "../../api/queries";
import type { ChangePrompt, Turn } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { composes } from "../../ui/composing";
import { focusPrompt, useFocusBack } from "../../ui/return-focus";
import { SureButton } from "../../ui/sure-button";
import { draftFailed, draftOf, handOver, useDraft, useRewording, wordsOf } from "./draft";

/** The prompts that begin by themselves when their turn comes; until then they can be changed, moved and taken back. */
export function WaitingPrompts({
  sessionId,
  workspaceId,
  runningTurnId,
  turns,
}: {
  sessionId: string;
  workspaceId: string | null | undefined;
  runningTurnId: string | undefined;
  turns: readonly Turn[];
}) {
  useHandOver(sessionId, turns);
  if (turns.length === 0) return null;
  return (
    <section aria-label="Prompts that wait" className="mx-auto w-full max-w-3xl px-3 pb-2 sm:px-4">
      <ol
        data-testid="waiting-prompts"
        className="thin-scroll flex max-h-[30dvh] flex-col divide-y overflow-y-auto rounded-xl border bg-sunken"
      >
        {turns.map((turn, index) => (
          <WaitingPrompt
            key={turn.id}
            sessionId={sessionId}
            runningTurnId={runningTurnId}
            turn={turn}
            index={index}
            turns={turns}
          />
        ))}
      </ol>
      {!runningTurnId && (
        <WaitsFor sessionId={sessionId} workspaceId={workspaceId} several={turns.length > 1} />
      )}
    </section>
  );
}

/** What has to be over before the first of them begins. */
function WaitsFor({
  sessionId,
  workspaceId,
  several,
}: {
  sessionId: string;
  workspaceId: string | null | undefined;
  several: boolean;
}) {
  const drone = useDroneOf(workspaceId);
  const works = drone?.status === "busy" && drone.currentSessionId !== sessionId;
  const other = works ? drone.currentSessionId : undefined;
  const { data: name } = useQuery({
    ...sessionsQuery,
    enabled: !!other,
    select: (sessions) => sessions.find((one) => one.id === other)?.name,
  });
  return (
    <p
      role="status"
      data-testid="waits-for"
      className="px-1 pt-1 text-xs text-faint [overflow-wrap:anywhere]"
    >
      {works && (
        <>
          {several ? "They wait" : "Waits"} for{" "}
          {other && name ? (
            <Link
              to="/sessions/$sessionId"
              params={{ sessionId: other }}
              className="text-accent underline underline-offset-2"
            >
              <bdi>{name}</bdi>
            </Link>
          ) : (
            "another session"
          )}
          .{" "}
        </>
      )}
      {several ? "They begin" : "Begins"} by {several ? "themselves" : "itself"} as soon as the drone is free.
    </p>
  );
}

/** A turn may begin while its prompt is being changed: what was typed goes on in the prompt box. */
function useHandOver(sessionId: string, turns: readonly Turn[]): void {
  const before = useRef<readonly string[]>([]);
  const waiting = turns.map((turn) => turn.id).join(" ");
  useLayoutEffect(() => {
    const ids = waiting.split(" ");
    const gone = before.current.filter((id) => !ids.includes(id));
    before.current = ids;
    const moved = gone.filter((id) => handOver(wordsOf(id), sessionId));
    if (moved.length > 0) focusPrompt(null);
  }, [waiting, sessionId]);
}

interface WaitingPromptProps {
  sessionId: string;
  runningTurnId: string | undefined;
  turn: Turn;
  /** Its place among all that wait. */
  index: number;
  turns: readonly Turn[];
}

function WaitingPrompt({ sessionId, runningTurnId, turn, index, turns }: WaitingPromptProps) {
  const client = useQueryClient();
  const row = useRef<HTMLLIElement>(null);
  const { words, begin, type, end } = useRewording(wordsOf(turn.id), turn.prompt);
  useFocusBack(row, words === null ? null : "change");
  const readAgain = () => client.invalidateQueries({ queryKey: sessionQuery(sessionId).queryKey });

  const change = useMutation({
    mutationFn: (prompt: string) => {
      const body: ChangePrompt = { prompt };
      return call(`/turns/${turn.id}`, { method: "PATCH", body });
    },
    // Who has typed on while it was saved goes on.
    onSuccess: (_, saved) => {
      if (draftOf(wordsOf(turn.id)) === saved) end();
    },
    onSettled: readAgain,
  });
  const boxIsEmpty = !useDraft(sessionId)[0].trim();
  const remove = useMutation({
    mutationFn: (_back: boolean) => call(`/turns/${turn.id}`, { method: "DELETE" }),
    onSuccess: (_, back) => {
      if (back) draftFailed(sessionId, turn.prompt);
      focusPrompt(row.current);
    },
    onSettled: readAgain,
  });
  const move = useMutation({
    mutationFn: (before: Turn | undefined) => moveBefore(turn.id, before?.id),
    onSettled: readAgain,
  });
  const steer = useMutation({
    mutationFn: async (running: string) => {
      await call(`/turns/${turn.id}/steer`, { method: "POST" });
      return running;
    },
    onSuccess: () => focusPrompt(row.current),
    onSettled: readAgain,
  });
  const stopAndSend = useMutation({
    mutationFn: async (running: string) => {
      if (index > 0) await moveBefore(turn.id, turns[0]?.id);
      await call(`/turns/${running}/cancel`, { method: "POST" });
    },
    onSuccess: () => focusPrompt(row.current),
    onSettled: readAgain,
  });
  const failure = change.error ?? remove.error ?? move.error ?? steer.error ?? stopAndSend.error;
  const onItsWay = steer.data !== undefined && steer.data === runningTurnId;

  return (
    <li ref={row} className="px-3 py-1.5 text-sm">
      {words === null ? (
        <div className="flex items-center gap-2">
          <Clock size={13} aria-hidden className="shrink-0 text-faint" />
          <span dir="auto" className="min-w-0 flex-1 truncate text-soft" title={turn.prompt}>
            {turn.prompt}
          </span>
          <span className="flex flex-wrap justify-end sm:shrink-0">
            {runningTurnId && (
              <>
                <Button
                  kind="quiet"
                  size="small"
                  aria-label="Send this prompt now"
                  title="Into the turn that runs, at its next step"
                  busy={steer.isPending}
                  onClick={() => steer.mutate(runningTurnId)}
                >
                  <SendHorizontal size={13} aria-hidden />
                </Button>
                <Button
                  kind="quiet"
                  size="small"
                  aria-label="Stop the turn and send this prompt"
                  title="Stop the turn that runs, and begin this one"
                  busy={stopAndSend.isPending}
                  onClick={() => stopAndSend.mutate(runningTurnId)}
                >
                  <OctagonX size={13} aria-hidden />
                </Button>
              </>
            )}
            {turns.length > 1 && (
              <>
                <Button
                  kind="quiet"
                  size="small"
                  aria-label="Move this prompt up"
                  title="Move up"
                  disabled={index === 0}
                  busy={move.isPending}
                  onClick={() => move.mutate(turns[index - 1])}
                >
                  <ChevronUp size={14} aria-hidden />
                </Button>
                <Button
                  kind="quiet"
                  size="small"
                  aria-label="Move this prompt down"
                  title="Move down"
                  disabled={index === turns.length - 1}
                  busy={move.isPending}
                  onClick={() => move.mutate(turns[index + 2])}
                >
                  <ChevronDown size={14} aria-hidden />
                </Button>
              </>
            )}
            <Button
              kind="quiet"
              size="small"
              aria-label="Change this prompt"
              title="Change"
              data-opens="change"
              onClick={begin}
            >
              <Pencil size={13} aria-hidden />
            </Button>
            {/* Its words go back into the box; where others are they would be lost. */}
            <SureButton
              kind="quiet"
              size="small"
              aria-label="Remove this prompt"
              title={boxIsEmpty ? "Take it back into the box" : "Remove"}
              busy={remove.isPending}
              ask={boxIsEmpty ? undefined : "Remove for good?"}
              onSure={() => remove.mutate(boxIsEmpty)}
            >
              <X size={14} aria-hidden />
            </SureButton>
          </span>
        </div>
      ) : (
        <form
          className="flex flex-col gap-2 py-1"
          onSubmit={(event) => {
            event.preventDefault();
            if (words === turn.prompt) end();
            else if (words.trim()) change.mutate(words);
          }}
        >
          <textarea
            aria-label="Words of the prompt"
            dir="auto"
            rows={2}
            // biome-ignore lint/a11y/noAutofocus: it opens because the person asked for it
            autoFocus
            value={words}
            onChange={(event) => type(event.target.value)}
            onKeyDown={(event) => {
              if (composes(event.nativeEvent)) return;
              if (event.key === "Escape") end();
              if (event.key === "Enter" && !event.shiftKey) {
                event.preventDefault();
                event.currentTarget.form?.requestSubmit();
              }
            }}
            className="thin-scroll field-sizing-content max-h-[24dvh] w-full resize-none rounded-md border border-line-strong bg-raised px-2 py-1 text-md"
          />
          <div className="flex justify-end gap-2">
            <Button size="small" onClick={end}>
              Cancel
            </Button>
            <Button
              size="small"
              kind="primary"
              type="submit"
              busy={change.isPending}
              disabled={!words.trim()}
            >
              Save
            </Button>
          </div>
        </form>
      )}
      {onItsWay && (
        <p role="status" className="pt-1 text-xs text-faint">
          The turn takes it at its next step; if it ends before, this begins by itself.
        </p>
      )}
      {failure && (
        <p role="alert" className="pt-1 text-xs text-bad">
          {failure.message}
        </p>
      )}
    </li>
  );
}

/** In front of another one that waits; without one to the end. */
function moveBefore(turnId: string, before: string | undefined): Promise<unknown> {
  const body: ChangePrompt = { before: before ?? null };
  return call(`/turns/${turnId}`, { method: "PATCH", body });
}
