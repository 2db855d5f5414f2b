import { useQuery } from "@tanstack/react-query";
import { FastForward, Pause, Play, SkipBack, SkipForward } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { turnQuery } from "../../api/queries";
import type { Turn } from "../../protocol/messages.gen";
import { type Blocks, storiesOf } from "../../turn/stories";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Check } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { BlockOf } from "../conversation/block-of";
import { duration } from "../conversation/figures";
import { KeptContext } from "../conversation/kept";
import { NearRows } from "../conversation/near-rows";
import { mayGrow } from "../conversation/plain-block";
import { type Follower, ScrollFollower } from "../conversation/scroll-follower";
import { UserMessage } from "../conversation/user-message";
import { editsOf } from "./edits";
import { FilesSoFar } from "./files-so-far";
import { type Player, SPEEDS, usePlayer } from "./player";
import { blocksAt, momentAt, stepFrom, type Timeline, timelineOf } from "./timeline";

/** As high as what stands above the list in its scroll box. */
const ABOVE_PIXELS = 24;
/** What is heard of what happens is told at most this often. */
const TOLD_MILLIS = 2_500;

/** A turn that ended, played as it happened. */
export function ReplayDialog({ turnId, onClose }: { turnId: string; onClose(): void }) {
  const turn = useQuery(turnQuery(turnId));
  return (
    <Dialog title="Replay of a turn" size="page" onClose={onClose}>
      {turn.data ? (
        <Replay turn={turn.data} />
      ) : turn.error ? (
        <Notice tone="bad">{turn.error.message}</Notice>
      ) : (
        <p className="text-sm text-faint">One moment …</p>
      )}
    </Dialog>
  );
}

function Replay({ turn }: { turn: Turn }) {
  const [shortPauses, setShortPauses] = useState(false);
  const [side, setSide] = useState<"turn" | "files">("turn");
  const timeline = useMemo(() => timelineOf(turn, shortPauses), [turn, shortPauses]);
  const player = usePlayer(timeline.length);
  const blocks = useMemo(() => blocksAt(timeline, player.at), [timeline, player.at]);
  const atEnd = player.at >= timeline.length;
  const edits = useMemo(() => editsOf(blocks), [blocks]);
  const files = atEnd && turn.files ? turn.files.total : new Set(edits.map((edit) => edit.path)).size;

  /** Keys that mean the replay, wherever in it the focus is; buttons and boxes keep their own. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const target = event.target as HTMLElement;
    const pressed = target.closest("button, [type=checkbox]");
    if (event.key === " " && !pressed) player.toggle();
    else if (event.key === "ArrowRight") player.seek(stepFrom(timeline, player.at, 1));
    else if (event.key === "ArrowLeft") player.seek(stepFrom(timeline, player.at, -1));
    else return;
    event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what it holds has the focus, and the keys are for all of it
    <div
      data-testid="replay"
      data-playing={player.playing}
      data-at={Math.round(player.at)}
      data-length={Math.round(timeline.length)}
      onKeyDown={onKeyDown}
      className="flex h-[calc(min(90dvh,52rem)-5.25rem)] flex-col gap-3"
    >
      <div className="flex gap-1 lg:hidden">
        {(["turn", "files"] as const).map((one) => (
          <Button
            key={one}
            size="small"
            kind={side === one ? "plain" : "quiet"}
            aria-pressed={side === one}
            onClick={() => setSide(one)}
          >
            {one === "turn" ? "Turn" : `Files (${files})`}
          </Button>
        ))}
      </div>
      <div className="grid min-h-0 flex-1 gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(16rem,26rem)]">
        <section
          aria-label="The turn at this moment"
          className={`flex min-h-0 min-w-0 flex-col rounded-lg border bg-ground ${side === "turn" ? "" : "max-lg:hidden"}`}
        >
          <ScrollFollower reachable>
            {(follower) => <BlocksSoFar turn={turn} blocks={blocks} atEnd={atEnd} follower={follower} />}
          </ScrollFollower>
        </section>
        <FilesSoFar
          turn={turn}
          edits={edits}
          atEnd={atEnd}
          className={side === "files" ? "" : "max-lg:hidden"}
        />
      </div>
      <Controls
        timeline={timeline}
        player={player}
        shortPauses={shortPauses}
        onShortPauses={(short) => {
          // The same share of the way: the places have moved.
          const share = timeline.length > 0 ? player.at / timeline.length : 0;
          setShortPauses(short);
          player.seek(share * timelineOf(turn, short).length);
        }}
      />
    </div>
  );
}

/** The prompt and the blocks that were there, of which only those near the view are on the page. */
function BlocksSoFar({
  turn,
  blocks,
  atEnd,
  follower,
}: {
  turn: Turn;
  blocks: Blocks;
  atEnd: boolean;
  follower: Follower;
}) {
  const [kept] = useState(() => new Map<string, unknown>());
  const { own, ofCall } = storiesOf(blocks);
  const rows = useMemo(
    () => [{ key: "prompt", block: null }, ...own.map((block) => ({ key: `${block.index}`, block }))],
    [own],
  );
  return (
    <KeptContext value={kept}>
      <NearRows rows={rows} follower={follower} abovePixels={ABOVE_PIXELS}>
        {({ block }) =>
          block ? (
            <BlockOf
              block={block}
              stories={ofCall}
              turnId={turn.id}
              ended
              live={!atEnd && mayGrow(block, own)}
            />
          ) : (
            <UserMessage text={turn.prompt} />
          )
        }
      </NearRows>
    </KeptContext>
  );
}

function Controls({
  timeline,
  player,
  shortPauses,
  onShortPauses,
}: {
  timeline: Timeline;
  player: Player;
  shortPauses: boolean;
  onShortPauses(short: boolean): void;
}) {
  const play = useRef<HTMLButtonElement>(null);
  const id = useId();
  const moment = momentAt(timeline, player.at);
  const told = useTold(moment.words, player.playing);
  const clock = `${duration(player.at)} of ${duration(timeline.length)}`;
  useEffect(() => {
    // The dialog around it has to be open first.
    const frame = requestAnimationFrame(() => play.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <div className="flex flex-col gap-2">
      <input
        type="range"
        aria-label="Place in the turn"
        // While it plays the words change with what happens, not with every step of the clock.
        aria-valuetext={player.playing ? moment.words : `${clock}: ${moment.words}`}
        min={0}
        max={Math.max(1, Math.round(timeline.length))}
        step={1}
        value={Math.round(player.at)}
        onChange={(event) => player.seek(Number(event.target.value))}
        className="w-full accent-accent"
      />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="flex gap-1">
          <Button
            size="icon"
            kind="quiet"
            aria-label="What happened before"
            onClick={() => player.seek(stepFrom(timeline, player.at, -1))}
          >
            <SkipBack size={15} aria-hidden />
          </Button>
          <button
            ref={play}
            type="button"
            aria-label={player.playing ? "Pause" : "Play"}
            data-testid="replay-play"
            onClick={player.toggle}
            className="inline-flex size-8 items-center justify-center rounded-md bg-accent text-accent-ink hover:brightness-110"
          >
            {player.playing ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
          </button>
          <Button
            size="icon"
            kind="quiet"
            aria-label="What happened next"
            onClick={() => player.seek(stepFrom(timeline, player.at, 1))}
          >
            <SkipForward size={15} aria-hidden />
          </Button>
        </span>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a place of its own */}
        <span role="group" aria-label="Speed" className="flex items-center gap-1">
          <FastForward size={14} aria-hidden className="text-faint" />
          {SPEEDS.map((speed) => (
            <Button
              key={speed}
              size="small"
              kind={player.speed === speed ? "plain" : "quiet"}
              aria-pressed={player.speed === speed}
              onClick={() => player.choose(speed)}
            >
              {speed}×
            </Button>
          ))}
        </span>
        <Check
          id={id}
          label="Shorten pauses"
          checked={shortPauses}
          onChange={(event) => onShortPauses(event.target.checked)}
        />
        <span className="ml-auto flex min-w-0 items-baseline gap-2 text-xs text-faint tabular-nums">
          <span className="truncate text-soft max-sm:hidden" data-testid="replay-moment">
            {moment.words}
          </span>
          <span className="whitespace-nowrap">{clock}</span>
        </span>
      </div>
      <span role="status" className="sr-only">
        {told}
      </span>
    </div>
  );
}

/** The latest words, but while it plays no new ones before the last had time to be heard. */
function useTold(words: string, playing: boolean): string {
  const latest = useRef(words);
  latest.current = words;
  const [told, setTold] = useState(words);
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => setTold(latest.current), TOLD_MILLIS);
    return () => {
      clearInterval(timer);
      setTold(latest.current);
    };
  }, [playing]);
  return playing ? told : words;
}
