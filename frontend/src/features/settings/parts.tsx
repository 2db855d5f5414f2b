// What the settings pages have in common.
import { type UseQueryResult, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { call } from "../../api/http";
import { type ListName, readAgain } from "../../api/queries";
import type { MachineLoad } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { SureButton } from "../../ui/sure-button";

export function SectionHead({ title, about, action }: { title: string; about: string; action?: ReactNode }) {
  return (
    <div className="mb-5 flex flex-wrap items-start justify-between gap-3">
      <div className="max-w-lg">
        <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
        <p className="mt-0.5 text-sm text-soft">{about}</p>
      </div>
      {action}
    </div>
  );
}

/** A list from the service: what it holds, that it is empty, or why it is not there. */
export function ItemList<T extends { id: string }>({
  query,
  empty,
  children,
}: {
  query: UseQueryResult<T[]>;
  empty: ReactNode;
  children: (item: T) => ReactNode;
}) {
  if (query.isPending) return <p className="text-sm text-faint">One moment …</p>;
  if (!query.data) {
    return (
      <Notice
        tone="bad"
        action={
          <Button size="small" onClick={() => void query.refetch()}>
            Try again
          </Button>
        }
      >
        {query.error?.message}
      </Notice>
    );
  }
  if (query.data.length === 0) {
    return (
      <div className="rounded-xl border border-dashed border-line-strong p-6 text-center text-sm text-soft">
        {empty}
      </div>
    );
  }
  return (
    <ul className="divide-y rounded-xl border bg-raised">
      {query.data.map((item) => (
        <li key={item.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
          {children(item)}
        </li>
      ))}
    </ul>
  );
}

/** Deletes on the second click; a refusal is said beside it. */
export function DeleteButton({
  path,
  list,
  word = "Delete",
}: {
  path: string;
  list: ListName;
  word?: string;
}) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call(path, { method: "DELETE" }),
    onSuccess: () => readAgain(client, list),
  });
  return (
    <>
      <SureButton
        size="small"
        kind="quiet"
        busy={remove.isPending}
        ask={`Really ${word.toLowerCase()}?`}
        onSure={() => remove.mutate()}
      >
        {word}
      </SureButton>
      {remove.error && (
        <p className="w-full text-xs text-bad" role="alert">
          {remove.error.message}
        </p>
      )}
    </>
  );
}

export function DialogActions({ busy, onClose, word }: { busy: boolean; onClose(): void; word: string }) {
  return (
    <div className="flex justify-end gap-2">
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="primary" type="submit" busy={busy}>
        {word}
      </Button>
    </div>
  );
}

export function day(at?: string | null): string {
  return at ? new Date(at).toLocaleDateString([], { dateStyle: "medium" }) : "";
}

/** How busy a machine is, in words. */
export function loadWords({ loadAverage, processors }: MachineLoad): string {
  const of = `${processors} ${processors === 1 ? "processor" : "processors"}`;
  return loadAverage == null ? of : `load ${loadAverage.toFixed(2)} on ${of}`;
}
