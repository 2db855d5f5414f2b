import { lazy, Suspense } from "react";
import { Dialog } from "../ui/dialog";
import { ErrorBoundary } from "./error-boundary";
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
  if (!shown) return null;
  return (
    <ErrorBoundary
      key={shown.what + (shown.what === "session-figures" ? shown.sessionId : shown.turnId)}
      around={(notice) => (
        <Dialog title="Looking back" onClose={close}>
          {notice}
        </Dialog>
      )}
    >
      <Suspense fallback={null}>
        {shown.what === "replay" && <ReplayDialog turnId={shown.turnId} onClose={close} />}
        {shown.what === "turn-figures" && <TurnFiguresDialog turnId={shown.turnId} onClose={close} />}
        {shown.what === "session-figures" && (
          <SessionFiguresDialog sessionId={shown.sessionId} onClose={close} />
        )}
      </Suspense>
    </ErrorBoundary>
  );
}
