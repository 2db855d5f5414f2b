import { QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { expect, it } from "vitest";
import { modelsQuery, profilesQuery, providersQuery } from "../../api/queries";
import type { ProviderView } from "../../protocol/messages.gen";
import { one, onPage, type } from "../../ui/on-page";
import { type ModelChoice, ModelFields } from "./model-fields";

function Form({ providerId = "p1" }) {
  const [choice, setChoice] = useState<ModelChoice>({
    providerId,
    model: "",
    reasoningEffort: "off",
    approvalPolicy: "auto",
  });
  return <ModelFields value={choice} onChange={setChoice} />;
}

function knowing(ids: string[]): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(
    providersQuery.queryKey,
    ids.map((id) => ({ id, name: id, defaultModel: `best-of-${id}` }) as ProviderView),
  );
  for (const id of [...ids, "deleted"]) {
    client.setQueryData(modelsQuery(id).queryKey, []);
    client.setQueryData(profilesQuery(id).queryKey, []);
  }
  return client;
}

it("a model is suggested once for each provider that is chosen, and the field can be emptied", () => {
  const page = onPage(<Form />, knowing(["p1", "p2"]));
  const model = one<HTMLInputElement>(page.place, '[data-setting="model"]');
  expect(model.value).toBe("best-of-p1");
  type(model, "");
  expect(model.value).toBe("");
  type(one(page.place, '[data-setting="provider"]'), "p2");
  expect(model.value).toBe("best-of-p2");
  type(one(page.place, '[data-setting="provider"]'), "p1");
  expect(model.value).toBe("best-of-p1");
  page.leave();
});

it("a session whose provider was deleted says so, and can be given the only other one", () => {
  const page = onPage(<Form providerId="deleted" />, knowing(["p1"]));
  const provider = one<HTMLSelectElement>(page.place, '[data-setting="provider"]');
  expect(provider.value).toBe("deleted");
  expect(provider.selectedOptions[0]?.textContent).toBe("one that is not there any more");
  type(provider, "p1");
  expect(provider.value).toBe("p1");
  expect([...provider.options].map((option) => option.value)).toEqual(["p1"]);
  expect(one<HTMLInputElement>(page.place, '[data-setting="model"]').value).toBe("best-of-p1");
  page.leave();
});
