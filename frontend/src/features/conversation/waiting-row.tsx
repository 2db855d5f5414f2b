import { useConnection } from "../../connection/connection";
import { isEnded, type TurnCopy } from "../../turn/reducer";
import { ownBlocks } from "../../turn/stories";
import { clock } from "./figures";
import { useNow } from "./use-now";

/** A silence that is worth a word. */
const NOTICED_SECONDS = 10;

/** When the page first saw each copy: as anything of a turn comes there is another one. */
const seen = new WeakMap<TurnCopy, number>();
const turnsSeen = new Set<string>();

/** When something last came: when the page saw it, or, of a turn that it just opened, what the turn says itself. */
function lastWord(copy: TurnCopy): number {
  const known = seen.get(copy);
  if (known !== undefined) return known;
  const now = Date.now();
  const own = ownBlocks(copy.turn.blocks);
  const says = !turnsSeen.has(copy.turn.id) && own.length > 0 && own.every((block) => block.closedAt);
  const at = says ? Math.min(now, Math.max(...own.map((block) => Date.parse(block.closedAt ?? "")))) : now;
  turnsSeen.add(copy.turn.id);
  seen.set(copy, at);
  return at;
}

/** For how many seconds nothing came from the model; undefined while that says nothing: it was not long, or the page's own line is cut. */
function useSilence(copy: TurnCopy): number | undefined {
  const { status } = copy.turn;
  const works = status !== "queued" && !isEnded(status);
  const live = useConnection((connection) => connection.state !== "offline");
  const now = useNow(works && live);
  const seconds = Math.floor((now - lastWord(copy)) / 1_000);
  return works && live && seconds >= NOTICED_SECONDS ? seconds : undefined;
}

interface WaitingProps {
  copy: TurnCopy;
  /** In the middle of a text or a call, which tells by itself that it goes on, as long as it does. */
  speaking: boolean;
}

/** That the model is waited for, and for how long nothing came. Announced once a turn, and not between all its rounds. */
export function Waiting({ copy, speaking }: WaitingProps) {
  const seconds = useSilence(copy);
  const { status, blocks } = copy.turn;
  if (speaking && seconds === undefined) return null;
  const first = ownBlocks(blocks).length === 0;
  return (
    <p className="flex items-center gap-2 text-sm text-faint" data-testid="waiting">
      <span aria-hidden className="flex gap-1">
        <span className="size-1.5 animate-pulse-dot rounded-full bg-accent" />
        <span className="size-1.5 animate-pulse-dot rounded-full bg-accent [animation-delay:180ms]" />
        <span className="size-1.5 animate-pulse-dot rounded-full bg-accent [animation-delay:360ms]" />
      </span>
      <span>
        <span role={first ? "status" : undefined}>
          {status === "queued" ? "Handing over to a drone" : "Waiting for the model"}
        </span>
        {/* Not announced with it: it grows each second. */}
        <span aria-live="off" className="tabular-nums">
          {seconds === undefined ? " …" : `, ${clock(seconds)}`}
        </span>
      </span>
    </p>
  );
}
