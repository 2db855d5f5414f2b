import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { call } from "../../api/http";
import { readAgain, sessionQuery } from "../../api/queries";
import { updateSession } from "../../api/sessions";
import { useKeptOverSignIn } from "../../app/kept-over-sign-in";
import type { BusyPolicy, SessionDetail, ToolQueueMode, UpdateSession } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Check, Field, Select, TextArea } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { SureButton } from "../../ui/sure-button";
import { LIMITS, readLimits, writeLimits } from "./limits";
import { choiceOf, type ModelChoice, ModelFields } from "./model-fields";
import { readRules, writeRules } from "./rules";
import { focusSetting, type SettingName } from "./session-settings";
import { without } from "./without";
import { WorkspaceField } from "./workspace-field";

/** Changes count from the next prompt on. */
export function SessionSettingsDialog({
  session,
  at,
  onClose,
}: {
  session: SessionDetail;
  /** The setting that somebody came for. */
  at: SettingName | "name";
  onClose(): void;
}) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => focusSetting(form.current, at), [at]);
  const client = useQueryClient();
  const navigate = useNavigate();
  // What is not changed here is not written: it may be changed elsewhere meanwhile.
  const [opened] = useState(session);
  const [name, setName] = useState(session.name);
  const [choice, setChoice] = useState<ModelChoice>(() => choiceOf(session));

  const [whenBusy, setWhenBusy] = useState(session.whenBusy);
  const [toolQueue, setToolQueue] = useState(session.toolQueue);
  const [worktree, setWorktree] = useState(session.worktree);
  const [workspaceId, setWorkspaceId] = useState(session.workspaceId);
  const [rules, setRules] = useKeptOverSignIn(`${session.id}/rules`, writeRules(session.rules));
  const read = readRules(rules);
  const [limitTexts, setLimitTexts] = useKeptOverSignIn(`${session.id}/limits`, writeLimits(session.limits));
  const limits = readLimits(limitTexts);

  const save = useMutation({
    mutationFn: (changes: UpdateSession) => updateSession(client, session.id, changes),
    onSuccess: onClose,
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
    if (!("rules" in read) || !limits) return;
    const fields = { ...choice, name: name.trim(), whenBusy, toolQueue, worktree, workspaceId };
    const changes: UpdateSession = without(fields, opened);
    // A model is one of its provider's.
    if (changes.providerId || changes.model) {
      changes.providerId = choice.providerId;
      changes.model = choice.model;
    }
    if (rules !== writeRules(opened.rules)) changes.rules = read.rules;
    if (Object.keys(without(limitTexts, writeLimits(opened.limits))).length > 0) changes.limits = limits;
    if (Object.keys(changes).length > 0) save.mutate(changes);
    else onClose();
  }

  const failure = save.error ?? remove.error;
  return (
    <Dialog title="Session" onClose={onClose}>
      <form ref={form} onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Name"
          data-setting="name"
          dir="auto"
          required
          maxLength={300}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ModelFields value={choice} onChange={setChoice} />
        <Select
          label="A prompt while a turn runs"
          value={whenBusy}
          onChange={(event) => setWhenBusy(event.target.value as BusyPolicy)}
        >
          <option value="queue">waits, and begins by itself</option>
          <option value="refuse">is refused</option>
        </Select>
        <Select
          label="Tools that a response calls"
          value={toolQueue}
          onChange={(event) => setToolQueue(event.target.value as ToolQueueMode)}
          hint="What changes something runs alone in both."
        >
          <option value="parallel">run at once where they only read</option>
          <option value="sequential">run one after the other</option>
        </Select>
        <TextArea
          label="Rules"
          data-setting="rules"
          rows={3}
          spellCheck={false}
          placeholder={"allow command mvn test *\ndeny path db/**"}
          value={rules}
          onChange={(event) => setRules(event.target.value)}
          error={"wrong" in read ? read.wrong : undefined}
          hint="One a line, beside the approvals above; the strictest that fits counts. The drone’s own policy stays above all."
        />
        <fieldset data-setting="limits" className="flex flex-col gap-2">
          <legend className="mb-1 text-sm font-medium">Limits of a turn, and of all of them</legend>
          <div className="grid grid-cols-3 gap-2 max-sm:grid-cols-2">
            {LIMITS.map(({ key, label, step }) => (
              <Field
                key={key}
                label={label}
                inputMode={step === 1 ? "numeric" : "decimal"}
                placeholder="no limit"
                value={limitTexts[key]}
                onChange={(event) => setLimitTexts({ ...limitTexts, [key]: event.target.value })}
              />
            ))}
          </div>
          <p className={`text-xs ${limits ? "text-faint" : "text-bad"}`}>
            {limits
              ? "A turn that reaches one stops there and can be continued; one of all turns has to be raised for that. Empty is no limit."
              : "Each limit is a number above 0, or empty for none."}
          </p>
        </fieldset>
        <Check
          label="Own branch and worktree"
          hint="Its turns work beside the project’s directory, so that sessions do not get in each other’s way."
          checked={worktree}
          onChange={(event) => setWorktree(event.target.checked)}
        />
        <WorkspaceField now={session.workspaceId} value={workspaceId} onChange={setWorkspaceId} />
        <p className="text-xs text-faint">Changes count from the next prompt on.</p>
        {failure && <Notice tone="bad">{failure.message}</Notice>}
        <div className="flex flex-wrap justify-end gap-2">
          <SureButton
            kind="danger"
            className="mr-auto"
            busy={remove.isPending}
            ask="Really delete, with all turns"
            onSure={() => remove.mutate()}
          >
            Delete session
          </SureButton>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
