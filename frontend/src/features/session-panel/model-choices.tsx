import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../api/http";
import { updateSession } from "../../api/sessions";
import type { SessionDetail } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { choiceOf, type ModelChoice, ModelFields } from "../new-session/model-fields";
import { without } from "../new-session/without";

type Wanted = Partial<ModelChoice>;

/** Model, reasoning effort and approvals of a session: what is chosen is saved at once, what is typed when that is done. */
export function ModelChoices({ session }: { session: SessionDetail }) {
  const client = useQueryClient();
  // What is not saved, or not known to be.
  const [wanted, setWanted] = useState<Wanted>({});
  // What of that was not sent: more letters may come, or a model is needed.
  const [unsent, setUnsent] = useState<Wanted>({});
  // What was refused when it was sent last.
  const [failed, setFailed] = useState<Wanted>({});
  const [failure, setFailure] = useState("");
  const value = { ...choiceOf(session), ...wanted };
  const { mutate, isPending, isSuccess } = useMutation({
    // One after the other, so that the last one counts.
    scope: { id: `choices of ${session.id}` },
    mutationFn: (fields: Wanted) => updateSession(client, session.id, fields),
    onSuccess: (_, saved) => setWanted((now) => without(now, saved)),
    onError: (error, refused) => {
      setFailed((now) => ({ ...now, ...refused }));
      setFailure(messageOf(error));
    },
  });
  const unsaved = Object.keys(wanted).length > 0;
  const typing = Object.keys(unsent).length > 0;
  // What was chosen anew since is on its way.
  const refused = (Object.keys(failed) as (keyof ModelChoice)[]).some(
    (name) => failed[name] === wanted[name],
  );

  function save(fields: Wanted) {
    const { model = session.model } = fields;
    if (model.trim() === "") {
      setUnsent(fields);
      return;
    }
    setUnsent({});
    setFailed((now) => without(now, fields));
    mutate(fields);
  }

  function change(next: ModelChoice, byLetters = false) {
    const chosen = without(next, value);
    // A model is one of its provider's, also where that one was refused before.
    const { providerId } = wanted;
    const itsProvider = chosen.model !== undefined && providerId !== undefined ? { providerId } : {};
    const fields = { ...unsent, ...itsProvider, ...chosen };
    setWanted({ ...wanted, ...chosen });
    if (byLetters) setUnsent(fields);
    else save(fields);
  }

  function takeBack() {
    setWanted((now) => without(now, failed));
    setFailed({});
  }

  const typed = () => typing && save(unsent);
  return (
    <form
      noValidate
      data-testid="session-choices"
      className="flex flex-col gap-4"
      onBlur={(event) => {
        // It comes too when the window is left, and the field is still where the person types.
        if (event.target !== document.activeElement) typed();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        typed();
      }}
    >
      <ModelFields value={value} onChange={change} />
      {refused && (
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
