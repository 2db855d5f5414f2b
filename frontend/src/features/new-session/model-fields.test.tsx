import { QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { expect, it } from "vitest";
import { modelsQuery, profilesQuery, providersQuery } from "../../api/queries";
import type { ProviderView } from "../../protocol/messages.gen";
import { one, onPage, type } from "../../ui/on-page";
import { type ModelChoice, ModelFields } from "./model-fields";

function Form() {
  const [choice, setChoice] = useState<ModelChoice>({
    providerId: "p1",
    model: "",
    reasoningEffort: "off",
    approvalPolicy: "auto",
  });
  return <ModelFields value={choice} onChange={setChoice} />;
}

it("a model is suggested once for each provider that is chosen, and the field can be emptied", () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(
    providersQuery.queryKey,
    ["p1", "p2"].map((id) => ({ id, name: id, defaultModel: `best-of-${id}` }) as ProviderView),
  );
  for (const id of ["p1", "p2"]) {
    client.setQueryData(modelsQuery(id).queryKey, []);
    client.setQueryData(profilesQuery(id).queryKey, []);
  }
  const page = onPage(<Form />, client);
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
