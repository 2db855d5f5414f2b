import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Paperclip } from "lucide-react";
import { useDroneOf } from "../../api/drones";
import { workspaceKey } from "../../api/files";
import type { SessionDetail } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { attach, attaching, pastedName } from "./attach";

/** Offers to put a long text that was pasted into a file; while somebody works in the workspace it stays text. */
export function PasteOffer({
  session,
  pasted,
  onAttached,
  onKeep,
}: {
  session: SessionDetail;
  pasted: string;
  onAttached(name: string): void;
  onKeep(): void;
}) {
  const client = useQueryClient();
  const drone = useDroneOf(session.workspaceId);
  const free =
    drone !== undefined && drone.status !== "offline" && (drone.workspaceMode ?? "idle") === "idle";
  const put = useMutation({
    mutationKey: attaching(session.id),
    mutationFn: async () => {
      const name = pastedName(new Date());
      await attach(session.id, pasted, name);
      return name;
    },
    onSuccess: (name) => {
      void client.invalidateQueries({ queryKey: workspaceKey(session.id) });
      onAttached(name);
    },
  });
  return (
    <div
      data-testid="paste-offer"
      role="status"
      className="mb-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-xl border bg-sunken px-3 py-2 text-sm"
    >
      <Paperclip size={14} aria-hidden className="shrink-0 text-faint" />
      <span className="min-w-40 flex-1 [overflow-wrap:anywhere]">
        {put.error
          ? put.error.message
          : `You pasted ${pasted.length.toLocaleString()} characters. ${
              free || put.isPending
                ? "As a file of the workspace the model reads of it what it needs."
                : "They stay in the prompt: the workspace is not free for a file now."
            }`}
      </span>
      <span className="flex gap-2">
        {(free || put.isPending) && (
          <Button size="small" kind="primary" busy={put.isPending} onClick={() => put.mutate()}>
            Attach as a file
          </Button>
        )}
        <Button size="small" disabled={put.isPending} onClick={onKeep}>
          Keep as text
        </Button>
      </span>
    </div>
  );
}
