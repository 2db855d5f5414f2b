import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef } from "react";
import { messageOf } from "../../api/http";
import { modelsQuery, profilesQuery, providersQuery } from "../../api/queries";
import { profileLine } from "../../model/profile";
import { ProfileBadge } from "../../model/profile-badge";
import type { ApprovalPolicy, ReasoningEffort } from "../../protocol/messages.gen";
import { Field, Select } from "../../ui/field";
import { EFFORT_WORDS, POLICY_WORDS } from "./efforts";

export interface ModelChoice {
  providerId: string;
  model: string;
  reasoningEffort: ReasoningEffort;
  approvalPolicy: ApprovalPolicy;
}

export function choiceOf({ providerId, model, reasoningEffort, approvalPolicy }: ModelChoice): ModelChoice {
  return { providerId, model, reasoningEffort, approvalPolicy };
}

interface ModelFieldsProps {
  value: ModelChoice;
  /** With `byLetters` more of the model's name may come. */
  onChange(value: ModelChoice, byLetters?: boolean): void;
}

/** Which model works, how hard it thinks, and when it asks. */
export function ModelFields({ value, onChange }: ModelFieldsProps) {
  const providers = useQuery(providersQuery);
  const models = useQuery({ ...modelsQuery(value.providerId), enabled: value.providerId !== "" });
  const profiles = useQuery({ ...profilesQuery(value.providerId), enabled: value.providerId !== "" });
  const profileOf = (model: string) => profiles.data?.find((one) => one.model === model)?.profile;
  const profile = profileOf(value.model);
  const list = useId();
  const provider = providers.data?.find((one) => one.id === value.providerId);
  const suggestion = provider?.defaultModel ?? models.data?.[0]?.id ?? "";

  // Once for a provider: who empties the field wants to type.
  const filled = useRef<string | null>(null);
  useEffect(() => {
    if (filled.current === value.providerId || (value.model === "" && suggestion === "")) return;
    filled.current = value.providerId;
    if (value.model === "") onChange({ ...value, model: suggestion });
  }, [value, suggestion, onChange]);

  return (
    <>
      <Select
        label="Provider"
        data-setting="provider"
        value={value.providerId}
        onChange={(event) => onChange({ ...value, providerId: event.target.value, model: "" })}
      >
        {/* Without it the first of the others looks chosen, and cannot be chosen. */}
        {providers.data && !provider && value.providerId !== "" && (
          <option value={value.providerId}>one that is not there any more</option>
        )}
        {providers.data?.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </Select>
      <Field
        label="Model"
        data-setting="model"
        list={list}
        required
        maxLength={200}
        spellCheck={false}
        className="font-mono"
        value={value.model}
        onChange={(event) => onChange({ ...value, model: event.target.value }, true)}
        hint={
          profile ? <ProfileBadge profile={profile} /> : modelHint(models.isFetching, models.data?.length)
        }
        error={models.error ? `${messageOf(models.error)} You can still type a model’s name.` : undefined}
      />
      <datalist id={list}>
        {models.data?.map((model) => {
          const known = profileOf(model.id);
          return (
            <option key={model.id} value={model.id}>
              {known && profileLine(known)}
            </option>
          );
        })}
      </datalist>
      <fieldset data-setting="effort">
        <legend className="mb-1 text-sm font-medium">Reasoning effort</legend>
        <div className="grid grid-cols-4 gap-0.5 rounded-md bg-sunken p-0.5">
          {(Object.keys(EFFORT_WORDS) as ReasoningEffort[]).map((effort) => (
            <label
              key={effort}
              className="grid h-8 cursor-pointer place-items-center rounded text-sm text-soft has-checked:bg-raised dark:has-checked:bg-line-strong has-checked:font-medium has-checked:text-ink has-checked:shadow-raised has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name={`${list}-effort`}
                className="sr-only"
                checked={value.reasoningEffort === effort}
                onChange={() => onChange({ ...value, reasoningEffort: effort })}
              />
              {EFFORT_WORDS[effort]}
            </label>
          ))}
        </div>
      </fieldset>
      <Select
        label="The agent"
        data-setting="approvals"
        value={value.approvalPolicy}
        onChange={(event) => onChange({ ...value, approvalPolicy: event.target.value as ApprovalPolicy })}
      >
        {Object.entries(POLICY_WORDS).map(([policy, words]) => (
          <option key={policy} value={policy}>
            {words}
          </option>
        ))}
      </Select>
    </>
  );
}

function modelHint(asking: boolean, found: number | undefined): string {
  if (asking) return "Asking the provider which models it has …";
  if (found === undefined) return "";
  return found === 0
    ? "The provider names no models; type one."
    : `The provider offers ${found} ${found === 1 ? "model" : "models"}.`;
}
