import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call, ProblemError } from "../../api/http";
import { modelsQuery, readAgain } from "../../api/queries";
import { useKeptOverSignIn } from "../../app/kept-over-sign-in";
import type { CreateProvider, ProviderType, ProviderView, UpdateProvider } from "../../protocol/messages.gen";
import { Dialog } from "../../ui/dialog";
import { Check, Field, Select, TextArea } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { DialogActions } from "./parts";
import { readPrices, writePrices } from "./prices";
import { sameServer } from "./same-server";

const EXAMPLES: Record<ProviderType, string> = {
  openai: "https://api.openai.com/v1",
  ollama: "http://127.0.0.1:11434",
};

export function ProviderDialog({
  provider,
  onClose,
}: {
  provider: ProviderView | undefined;
  onClose(): void;
}) {
  const client = useQueryClient();
  const [type, setType] = useState<ProviderType>(provider?.type ?? "openai");
  const [name, setName] = useState(provider?.name ?? "");
  const [baseUrl, setBaseUrl] = useState(provider?.baseUrl ?? "");
  const [apiKey, setApiKey] = useState("");
  const [forgetKey, setForgetKey] = useState(false);
  const [disableStreaming, setDisableStreaming] = useState(provider?.disableStreaming ?? false);
  const [defaultModel, setDefaultModel] = useState(provider?.defaultModel ?? "");
  const [prices, setPrices] = useKeptOverSignIn(
    `${provider?.id ?? "new provider"}/prices`,
    writePrices(provider?.prices ?? []),
  );
  const read = readPrices(prices);
  const keyElsewhere = provider?.hasApiKey === true && !sameServer(provider.baseUrl, baseUrl);

  const save = useMutation({
    mutationFn: () => {
      const common = {
        name: name.trim(),
        baseUrl: baseUrl.trim(),
        // An empty one takes away the one there is.
        ...(apiKey || forgetKey ? { apiKey } : {}),
        disableStreaming,
        // Said also when it is empty: then there shall be none any more.
        defaultModel: defaultModel.trim(),
        ...("prices" in read ? { prices: read.prices } : {}),
      };
      if (!provider) {
        const body: CreateProvider = { type, ...common };
        return call("/providers", { method: "POST", body });
      }
      const body: UpdateProvider = common;
      return call(`/providers/${provider.id}`, { method: "PATCH", body });
    },
    onSuccess: async () => {
      if (provider) client.removeQueries({ queryKey: modelsQuery(provider.id).queryKey });
      await readAgain(client, "providers");
      onClose();
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if ("prices" in read) save.mutate();
  }

  const problem = save.error instanceof ProblemError ? save.error : undefined;
  const errorOf = (field: string) => (problem?.field === field ? problem.message : undefined);
  const fieldShown = ["name", "baseUrl", "apiKey", "defaultModel", "prices"].includes(problem?.field ?? "");
  return (
    <Dialog title={provider ? "Edit the provider" : "Add a provider"} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {!provider && (
          <Select
            label="It speaks"
            value={type}
            onChange={(event) => setType(event.target.value as ProviderType)}
          >
            <option value="openai">the OpenAI API (also llama.cpp, vLLM, LM Studio, OpenRouter …)</option>
            <option value="ollama">Ollama’s own API</option>
          </Select>
        )}
        <Field
          label="Name"
          required
          maxLength={100}
          value={name}
          error={errorOf("name")}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label="Base URL"
          type="url"
          required
          placeholder={EXAMPLES[type]}
          className="font-mono"
          value={baseUrl}
          error={errorOf("baseUrl")}
          onChange={(event) => setBaseUrl(event.target.value)}
        />
        <Field
          label="API key"
          type="password"
          autoComplete="off"
          value={apiKey}
          disabled={forgetKey}
          error={errorOf("apiKey")}
          placeholder={
            provider?.hasApiKey && !keyElsewhere
              ? "Leave empty to keep the one there is"
              : "Only if the server asks for one"
          }
          hint={
            keyElsewhere
              ? "The stored key is for the server it was given for. Give the key of this one, or remove it."
              : "Kept encrypted, and never shown again."
          }
          onChange={(event) => setApiKey(event.target.value)}
        />
        {provider?.hasApiKey && (
          <Check
            label="Remove the stored key"
            checked={forgetKey}
            onChange={(event) => {
              setForgetKey(event.target.checked);
              setApiKey("");
            }}
          />
        )}
        <Field
          label="Default model"
          value={defaultModel}
          error={errorOf("defaultModel")}
          hint="Offered first in a new session."
          onChange={(event) => setDefaultModel(event.target.value)}
        />
        <Check
          label="Ask for whole answers"
          hint="For servers that cannot stream. The answer then comes all at once."
          checked={disableStreaming}
          onChange={(event) => setDisableStreaming(event.target.checked)}
        />
        <TextArea
          label="Prices"
          rows={2}
          spellCheck={false}
          placeholder="gpt-x 2.50 10"
          value={prices}
          onChange={(event) => setPrices(event.target.value)}
          error={"wrong" in read ? read.wrong : errorOf("prices")}
          hint="A model a line, with the price of a million tokens in and out, in dollars, and “cached 0.25” after it where what the endpoint read before costs less. Turns then tell what they cost."
        />
        {save.error && !fieldShown && <Notice tone="bad">{save.error.message}</Notice>}
        <DialogActions busy={save.isPending} onClose={onClose} word={provider ? "Save" : "Add"} />
      </form>
    </Dialog>
  );
}
