import type { ReactNode } from "react";

/** Says what is missing and what to do next. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="grid h-full min-h-60 place-items-center p-6">
      <div className="flex max-w-md flex-col items-center gap-3 text-center">
        <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
        {children && <div className="text-sm text-soft">{children}</div>}
        {action}
      </div>
    </div>
  );
}
