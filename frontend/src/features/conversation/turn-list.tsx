import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { readEarlier } from "../../api/earlier-turns";
import { messageOf } from "../../api/http";
import type { TurnCopy } from "../../turn/reducer";
import { Button } from "../../ui/button";
import { FindBar } from "./find-bar";
import { KeptContext } from "./kept";
import { BEYOND_PIXELS, Container } from "./near-rows";
import type { Follower } from "./scroll-follower";
import { type Segment, segmentsOf } from "./segments";
import { TurnPart } from "./turn-view";
import { useHeldRows } from "./use-held-rows";

/** As high as what stands above the list in its scroll box. */
const ABOVE_PIXELS = 24;
/** So near to the beginning the turns before it are read. */
const EARLY_PIXELS = 2_400;

interface TurnListProps {
  sessionId: string;
  turns: readonly TurnCopy[];
  /** Whether there are turns before these. */
  earlier: boolean;
  follower: Follower;
}

/** The turns of a session, of which only those near the view are on the page. */
export function TurnList({ sessionId, turns, earlier, follower }: TurnListProps) {
  const { box, onResize, leave } = follower;
  const list = useRef<VirtualizerHandle>(null);
  const [kept] = useState(() => new Map<string, unknown>());
  const rows = useMemo(() => turns.flatMap(segmentsOf), [turns]);
  const held = useHeldRows(box, rows);
  const reading = useEarlier(sessionId, earlier);

  const firstBefore = useRef<string | undefined>(undefined);
  const grewAtTheStart = firstBefore.current !== undefined && firstBefore.current !== rows[0]?.key;
  useLayoutEffect(() => {
    firstBefore.current = rows[0]?.key;
  }, [rows]);

  const lookBack = () => {
    const at = list.current;
    if (at && (at.scrollOffset < EARLY_PIXELS || at.scrollSize <= at.viewportSize)) reading.read();
  };
  const mounted = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks whenever there are other turns
  useEffect(() => {
    // At first it stands at the beginning, before it is taken to the end.
    if (mounted.current) lookBack();
    mounted.current = true;
  }, [rows.length]);

  return (
    <KeptContext value={kept}>
      <FindBar
        rows={rows}
        earlier={earlier}
        readEarlier={reading.again}
        show={(row) => {
          leave();
          list.current?.scrollToIndex(row, { align: "center" });
        }}
      />
      {reading.error && (
        <p role="alert" className="flex items-center gap-2 pb-3 text-sm text-bad">
          {reading.error}
          <Button size="small" onClick={() => void reading.again()}>
            Try again
          </Button>
        </p>
      )}
      <Virtualizer
        as={Container}
        ref={list}
        data={rows}
        scrollRef={box}
        startMargin={ABOVE_PIXELS}
        bufferSize={BEYOND_PIXELS}
        shift={grewAtTheStart}
        keepMounted={held}
        onScroll={lookBack}
        onResize={onResize}
      >
        {(row: Segment) => <Row key={row.key} row={row} />}
      </Virtualizer>
    </KeptContext>
  );
}

function Row({ row }: { row: Segment }) {
  return (
    <div data-row={row.key} className={row.last ? "pb-9" : "pb-3"}>
      <TurnPart copy={row.copy} from={row.from} to={row.to} first={row.first} last={row.last} />
    </div>
  );
}

/** Reads what came before; after a failure only when it is asked for again. */
function useEarlier(sessionId: string, earlier: boolean) {
  const client = useQueryClient();
  const [error, setError] = useState<string | null>(null);
  const again = useCallback(async () => {
    if (!earlier) return false;
    setError(null);
    try {
      await readEarlier(client, sessionId);
      return true;
    } catch (failure) {
      setError(`Earlier turns could not be read: ${messageOf(failure)}`);
      return false;
    }
  }, [client, sessionId, earlier]);
  return {
    error,
    /** What scrolling does. */
    read: () => {
      if (earlier && !error) void again();
    },
    /** What a person asks for; false when nothing came. */
    again,
  };
}
