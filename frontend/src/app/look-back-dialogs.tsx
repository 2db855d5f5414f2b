import { lazy, Suspense } from "react";
import { useLookBack } from "./look-back";

const ReplayDialog = lazy(async () => ({
  default: (await import("../features/replay/replay-dialog")).ReplayDialog,
}));

const TurnFiguresDialog = lazy(async () => ({
  default: (await import("../features/figures/turn-figures-dialog")).TurnFiguresDialog,
}));
const SessionFiguresDialog = lazy(async () => ({
  default: (await import("../features/figures/session-figures-dialog")).SessionFiguresDialog,
}));

/** What is looked at of the past, over the page. */
export function LookBackDialogs() {
  const { shown, close } = useLookBack();
  return (
    <Suspense fallback={null}>
      {shown?.what === "replay" && <ReplayDialog key={shown.turnId} turnId={shown.turnId} onClose={close} />}
      {shown?.what === "turn-figures" && (
        <TurnFiguresDialog key={shown.turnId} turnId={shown.turnId} onClose={close} />
      )}
      {shown?.what === "session-figures" && (
        <SessionFiguresDialog key={shown.sessionId} sessionId={shown.sessionId} onClose={close} />
      )}
    </Suspense>
  );
}
