import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { modelsQuery, profilesQuery, providersQuery } from "../../api/queries";
import { ProfileBadge } from "../../model/profile-badge";
import type { ProviderView } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { ExamDialog } from "./exam-dialog";
import { DeleteButton, ItemList, SectionHead } from "./parts";
import { ProviderDialog } from "./provider-dialog";

export function ProvidersSection() {
  const providers = useQuery(providersQuery);
  const [editing, setEditing] = useState<ProviderView | "new" | null>(null);
  return (
    <>
      <SectionHead
        title="Providers"
        about="Where the models are: any server that speaks the OpenAI API, or Ollama. The drone calls it, so its address is as the drone sees it."
        action={
          <Button kind="primary" onClick={() => setEditing("new")}>
            Add a provider
          </Button>
        }
      />
      <ItemList
        query={providers}
        empty="No provider yet. Add one, and its models can be chosen for sessions."
      >
        {(provider) => <ProviderItem provider={provider} onEdit={() => setEditing(provider)} />}
      </ItemList>
      {editing && (
        <ProviderDialog provider={editing === "new" ? undefined : editing} onClose={() => setEditing(null)} />
      )}
    </>
  );
}

function ProviderItem({ provider, onEdit }: { provider: ProviderView; onEdit(): void }) {
  const models = useQuery({ ...modelsQuery(provider.id), enabled: false });
  const profiles = useQuery(profilesQuery(provider.id));
  const [examining, setExamining] = useState(false);
  return (
    <>
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <p className="truncate font-medium" dir="auto">
          {provider.name}
          <span className="ml-2 text-xs font-normal text-faint">
            {provider.type === "openai" ? "OpenAI API" : "Ollama"}
          </span>
        </p>
        <p className="truncate font-mono text-xs text-soft" title={provider.baseUrl}>
          {provider.baseUrl}
        </p>
        <p className="text-xs text-faint">
          {provider.hasApiKey ? "With a key" : "Without a key"}
          {provider.defaultModel && ` · ${provider.defaultModel}`}
        </p>
      </div>
      <Button size="small" busy={models.isFetching} onClick={() => void models.refetch()}>
        {models.isFetching ? "Asking …" : "Test"}
      </Button>
      <Button size="small" onClick={() => setExamining(true)}>
        Test model
      </Button>
      <Button size="small" kind="quiet" onClick={onEdit}>
        Edit
      </Button>
      <DeleteButton path={`/providers/${provider.id}`} list="providers" />
      <div aria-live="polite" className="w-full text-xs empty:hidden">
        {!models.isFetching && models.error && <p className="text-bad">{models.error.message}</p>}
        {!models.isFetching && models.data && !models.error && (
          <p className="text-good">
            It answers and offers {models.data.length} {models.data.length === 1 ? "model" : "models"}
            {models.data.length > 0 &&
              `: ${models.data
                .slice(0, 5)
                .map((model) => model.id)
                .join(", ")}${models.data.length > 5 ? " …" : ""}`}
          </p>
        )}
      </div>
      {profiles.data && profiles.data.length > 0 && (
        <ul className="flex w-full flex-col gap-1.5">
          {profiles.data.map(({ model, profile }) => (
            <li key={model} className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="font-mono text-xs">{model}</span>
              <ProfileBadge profile={profile} />
            </li>
          ))}
        </ul>
      )}
      {examining && <ExamDialog provider={provider} onClose={() => setExamining(false)} />}
    </>
  );
}
