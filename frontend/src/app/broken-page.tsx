import type { ErrorComponentProps } from "@tanstack/react-router";
import { Broken } from "./error-boundary";

/** In place of a page that broke, or whose parts could not be loaded. */
export function BrokenPage({ error }: ErrorComponentProps) {
  return (
    <div className="grid h-full min-h-60 place-items-center p-6">
      <div className="max-w-lg">
        <Broken error={error} />
      </div>
    </div>
  );
}
