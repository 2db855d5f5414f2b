import { RotateCw } from "lucide-react";
import { memo, useEffect, useState } from "react";
import type { BlockUnion, CallGrows, Retrying } from "../../protocol/messages.gen";
import { isEnded, isOver, type TurnCopy } from "../../turn/reducer";
import { ownBlocks, storiesOf } from "../../turn/stories";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { BlockOf } from "./block-of";
import { clock, count } from "./figures";
import { GoAhead } from "./go-ahead";
import { mayGrow } from "./plain-block";
import { useResend } from "./resend";
import { TurnFiles } from "./turn-files";
import { TurnFooter } from "./turn-footer";
import { SentPrompt } from "./user-message";
import { Waiting } from "./waiting-row";

interface TurnPartProps {
  copy: TurnCopy;
  from: number;
  to: number;
  first: boolean;
  last: boolean;
}

/** A prompt and all that followed from it, or of a long turn the blocks from one to another. */
export const TurnPart = memo(function TurnPart({ copy, from, to, first, last }: TurnPartProps) {
  const { turn } = copy;
  const ended = isEnded(turn.status);
  const { own, ofCall } = storiesOf(turn.blocks);
  return (
    <article aria-label={first ? "Turn" : "Turn, continued"}>
      {first && <SentPrompt turnId={turn.id} text={turn.prompt} />}
      <div className={`flex flex-col gap-3 ${first ? "mt-4" : ""}`}>
        {own.slice(from, to).map((block) => (
          <BlockOf
            key={block.index}
            block={block}
            stories={ofCall}
            turnId={turn.id}
            // While the drone is away a person can answer what it asked.
            ended={isOver(turn.status)}
            live={!ended && mayGrow(block, own)}
          />
        ))}
        {last && <Outcome copy={copy} ended={ended} />}
      </div>
      {last && <TurnFooter turn={turn} />}
    </article>
  );
});

/** What stands below the blocks of a turn: what is waited for, and what came of it. */
function Outcome({ copy, ended }: { copy: TurnCopy; ended: boolean }) {
  const { turn } = copy;
  const own = ownBlocks(turn.blocks);
  return (
    <>
      {copy.retrying && !ended && <RetryRow retrying={copy.retrying} />}
      {copy.growing && !ended && <GrowingRow growing={copy.growing} />}
      {!ended && !copy.retrying && !own.some(isWorking) && (
        <Waiting copy={copy} speaking={copy.growing !== null || own.some(isSpoken)} />
      )}
      {turn.files && <TurnFiles turn={turn} files={turn.files} />}
      {ended && <Ending copy={copy} />}
      {turn.status === "finished" && <GoAhead turnId={turn.id} sessionId={turn.sessionId} />}
    </>
  );
}

/** Whether it is a call in which something happens, or that asks: nobody waits for the model then. */
function isWorking(block: BlockUnion): boolean {
  if (block.mode !== "tool") return false;
  const { state } = block.content;
  return state === "queued" || state === "running" || state === "awaiting_approval";
}

/** Whether the model is in the middle of it. */
function isSpoken(block: BlockUnion): boolean {
  return block.mode !== "tool" && !block.closedAt;
}

/** A call while the model writes it. */
export function GrowingRow({ growing }: { growing: CallGrows }) {
  return (
    <p className="flex items-center gap-2 px-2 text-sm text-faint" data-testid="call-grows">
      <span aria-hidden className="size-1.5 animate-pulse-dot rounded-full bg-accent" />
      <span>
        {/* What grows is not in it: each step would be announced. */}
        <span role="status">
          Writing <span className="font-mono text-xs">{growing.name}</span>
        </span>{" "}
        … {count(growing.chars)} characters
      </span>
    </p>
  );
}

/** What comes from elsewhere may lack its full stop, and more words follow. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text.trim()) ? text : `${text}.`;
}

/** When each is due: it is told what was left of the wait as it came. */
const dues = new WeakMap<Retrying, number>();

function dueOf(retrying: Retrying): number {
  const due = dues.get(retrying) ?? Date.now() + retrying.delayMillis;
  dues.set(retrying, due);
  return due;
}

export function RetryRow({ retrying }: { retrying: Retrying }) {
  const [left, setLeft] = useState(() => dueOf(retrying) - Date.now());
  useEffect(() => {
    const due = dueOf(retrying);
    const tick = () => setLeft(Math.max(0, due - Date.now()));
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [retrying]);
  return (
    <p className="flex items-start gap-2 text-sm text-warn">
      <RotateCw size={14} aria-hidden className="mt-1 shrink-0" />
      <span>
        {/* What ticks is not in it: all of it would be announced each second. */}
        <span role="status">
          {sentence(retrying.failure.message)} Attempt {retrying.attempt + 1}
        </span>{" "}
        {left > 0 ? `in ${clock(Math.ceil(left / 1_000))}` : "is under way"}.
      </span>
    </p>
  );
}

/** How a turn ended, when it did not simply finish, and what can be done: the service and the drone say that themselves. */
function Ending({ copy: { turn } }: { copy: TurnCopy }) {
  const said = turn.error?.message;
  switch (turn.status) {
    case "failed":
      return (
        <Notice tone="bad">
          {said ?? "The turn failed, and nobody said why. The drone’s log knows more."}
        </Notice>
      );
    case "interrupted":
      return (
        <Notice tone="warn">
          {said ??
            "The drone was lost while it worked. What was done until then is kept; send another prompt to go on."}
        </Notice>
      );
    case "budget_reached":
      return (
        <Notice tone="warn" action={<Continue turnId={turn.id} />}>
          {said ?? "A limit of this session was reached. Send another prompt to go on, or raise the limit."}
        </Notice>
      );
    case "cancelled":
      return <p className="text-sm text-faint">Stopped by you.</p>;
    case "finished":
      return turn.blocks.length === 0 ? (
        <p className="text-sm text-faint">The model ended without saying anything.</p>
      ) : null;
    case "queued":
    case "processing":
    case "awaiting_approval":
      return null;
  }
}

/** Lets the agent go on where a limit stopped it, with a prompt as any other. */
function Continue({ turnId }: { turnId: string }) {
  const { send, canSend, lastTurnId } = useResend();
  if (turnId !== lastTurnId) return null;
  return (
    <Button size="small" disabled={!canSend} title="Sends “Go on.”" onClick={() => send("Go on.")}>
      Continue
    </Button>
  );
}
