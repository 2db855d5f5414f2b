import { lazy, Suspense } from "react";
import { useLookBack } from "./look-back";

const ReplayDialog = lazy(async () => ({
  default: (await import("../features/replay/replay-dialog")).ReplayDialog,
}));

/** What is looked at of the past, over the page. */
export function LookBackDialogs() {
  const { shown, close } = useLookBack();
  return (
    <Suspense fallback={null}>
      {shown?.what === "replay" && <ReplayDialog key={shown.turnId} turnId={shown.turnId} onClose={close} />}
    </Suspense>
  );
}
