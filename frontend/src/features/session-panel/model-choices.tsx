import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../api/http";
import { updateSession } from "../../api/sessions";
import type { SessionDetail } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { choiceOf, type ModelChoice, ModelFields } from "../new-session/model-fields";

type Wanted = Partial<ModelChoice>;

/** Model, reasoning effort and approvals of a session: what is chosen is saved at once, what is typed when that is done. */
export function ModelChoices({ session }: { session: SessionDetail }) {
  const client = useQueryClient();
  // What is not saved, or not known to be.
  const [wanted, setWanted] = useState<Wanted>({});
  const [typing, setTyping] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const value = { ...choiceOf(session), ...wanted };
  const { mutate, isPending, isSuccess } = useMutation({
    // One after the other, so that the last one counts.
    scope: { id: `choices of ${session.id}` },
    mutationFn: (fields: Wanted) => updateSession(client, session.id, fields),
    onSuccess: (_, saved) => setWanted((now) => without(now, saved)),
    onError: (error) => setFailure(messageOf(error)),
  });
  const unsaved = Object.keys(wanted).length > 0;

  function save(fields: Wanted) {
    const { model = session.model } = fields;
    setTyping(false);
    if (model.trim() === "") return;
    setFailure(null);
    mutate(fields);
  }

  function change(next: ModelChoice, byLetters = false) {
    const fields = { ...wanted, ...without(next, value) };
    setWanted(fields);
    if (byLetters) setTyping(true);
    else save(fields);
  }

  function takeBack() {
    setWanted({});
    setFailure(null);
  }

  const typed = () => typing && save(wanted);
  return (
    <form
      noValidate
      data-testid="session-choices"
      className="flex flex-col gap-4"
      onBlur={typed}
      onSubmit={(event) => {
        event.preventDefault();
        typed();
      }}
    >
      <ModelFields value={value} onChange={change} />
      {failure && unsaved && (
        <Notice tone="bad">
          Not saved. {failure}
          <span className="mt-2 flex gap-2">
            <Button size="small" busy={isPending} onClick={() => save(wanted)}>
              Try again
            </Button>
            <Button size="small" busy={isPending} onClick={takeBack}>
              Take it back
            </Button>
          </span>
        </Notice>
      )}
      <p className="text-xs text-faint">
        Changes are saved at once and count from the next prompt on.{" "}
        <span role="status" className="text-soft" data-testid="choices-saved">
          {isPending
            ? "Saving …"
            : value.model.trim() === ""
              ? "Not saved yet: a model is needed."
              : typing
                ? "Not saved yet: press Enter."
                : isSuccess && !unsaved
                  ? "Saved."
                  : ""}
        </span>
      </p>
    </form>
  );
}

/** What of the first is not the same in the other. */
function without(some: Wanted, others: Wanted): Wanted {
  return Object.fromEntries(
    Object.entries(some).filter(([name, one]) => others[name as keyof ModelChoice] !== one),
  );
}
