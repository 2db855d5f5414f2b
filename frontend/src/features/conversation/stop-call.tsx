import { useMutation } from "@tanstack/react-query";
import { Square } from "lucide-react";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { call, messageOf } from "../../api/http";
import type { ToolCall } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { argumentPreview } from "./figures";

/** A drone ends what runs within this time; one that does not know how goes on. */
const STOPS_MILLIS = 15_000;
const LONGEST_NAME = 80;

interface StopCallProps {
  turnId: string;
  tool: ToolCall;
  /** Has the focus when the call ends under the one who is here. */
  line: RefObject<HTMLElement | null>;
}

/** Stops this one call; the turn goes on, and its model is told. */
export function StopCall({ turnId, tool, line }: StopCallProps) {
  const button = useRef<HTMLButtonElement>(null);
  // While it still is on the page: afterwards nobody knows who was here.
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      if (own && own === document.activeElement) line.current?.focus({ preventScroll: true });
    };
  }, [line]);
  const [late, setLate] = useState(false);
  const stop = useMutation({
    mutationFn: () =>
      call(`/turns/${turnId}/calls/${encodeURIComponent(tool.callId)}/stop`, { method: "POST" }),
  });
  const told = stop.isSuccess;
  useEffect(() => {
    if (!told) return;
    const timer = setTimeout(() => setLate(true), STOPS_MILLIS);
    return () => clearTimeout(timer);
  }, [told]);
  const stopping = stop.isPending || (told && !late);
  const trouble = stop.error
    ? messageOf(stop.error)
    : late
      ? "It still runs. A drone from before this version stops whole turns only."
      : "";
  const what = `${tool.name} ${argumentPreview(tool.parameters)}`.slice(0, LONGEST_NAME);
  return (
    <>
      <Button
        ref={button}
        kind="quiet"
        size="small"
        data-testid="call-stop"
        className="mr-1 focus-visible:-outline-offset-2 aria-disabled:opacity-50"
        aria-label={stopping ? `Stopping ${what}` : `Stop only this call: ${what}`}
        title="Stop only this call; the turn goes on"
        // A button that is disabled loses the focus.
        aria-disabled={stopping}
        onClick={() => {
          if (stopping) return;
          setLate(false);
          stop.mutate();
        }}
      >
        {stopping ? (
          "Stopping …"
        ) : (
          <>
            <Square size={11} aria-hidden />
            Stop
          </>
        )}
      </Button>
      {trouble && (
        <p role="alert" className="basis-full px-2 pb-1.5 pl-6 text-xs text-bad [overflow-wrap:anywhere]">
          {trouble}
        </p>
      )}
    </>
  );
}
