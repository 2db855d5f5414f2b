import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { call } from "../../api/http";
import { readAgain, sessionQuery } from "../../api/queries";
import type { SessionDetail, UpdateSession } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { type ModelChoice, ModelFields } from "./model-fields";

/** Changes count from the next prompt on. */
export function SessionSettingsDialog({ session, onClose }: { session: SessionDetail; onClose(): void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState(session.name);
  const [sure, setSure] = useState(false);
  const [choice, setChoice] = useState<ModelChoice>({
    providerId: session.providerId,
    model: session.model,
    reasoningEffort: session.reasoningEffort,
    approvalPolicy: session.approvalPolicy,
  });

  const save = useMutation({
    mutationFn: () => {
      const body: UpdateSession = { ...choice, name: name.trim() };
      return call(`/sessions/${session.id}`, { method: "PATCH", body });
    },
    onSuccess: async () => {
      await Promise.all([
        readAgain(client, "sessions"),
        client.invalidateQueries({ queryKey: sessionQuery(session.id).queryKey }),
      ]);
      onClose();
    },
  });
  const remove = useMutation({
    mutationFn: () => call(`/sessions/${session.id}`, { method: "DELETE" }),
    onSuccess: async () => {
      onClose();
      await navigate({ to: "/" });
      client.removeQueries({ queryKey: sessionQuery(session.id).queryKey });
      await readAgain(client, "sessions");
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate();
  }

  const failure = save.error ?? remove.error;
  return (
    <Dialog title="Session" onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Name"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ModelFields value={choice} onChange={setChoice} />
        <p className="text-xs text-faint">Changes count from the next prompt on.</p>
        {failure && <Notice tone="bad">{failure.message}</Notice>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            kind="danger"
            className="mr-auto"
            busy={remove.isPending}
            onClick={() => (sure ? remove.mutate() : setSure(true))}
          >
            {sure ? "Really delete, with all turns" : "Delete session"}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
