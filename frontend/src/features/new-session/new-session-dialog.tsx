import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { call } from "../../api/http";
import { dronesQuery, projectsQuery, providersQuery, readAgain, sessionsQuery } from "../../api/queries";
import type { CreateProject, CreateSession, ProjectView, SessionView } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Check, Field, Select } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { type ModelChoice, ModelFields } from "./model-fields";
import { alongFrom, latestOf } from "./take-along";
import { WorkspaceField } from "./workspace-field";

const NEW_PROJECT = "new";

/** Begins a session: the last choices are offered again. */
export function NewSessionDialog({ projectId, onClose }: { projectId: string | undefined; onClose(): void }) {
  const projects = useQuery(projectsQuery);
  const providers = useQuery(providersQuery);
  const sessions = useQuery(sessionsQuery);
  const known = projects.data && providers.data && sessions.data;
  const missing = [projects, providers, sessions].filter((list) => !list.data);
  const error = missing.find((list) => list.error)?.error;
  return (
    <Dialog title="New session" onClose={onClose}>
      {known && providers.data.length > 0 && (
        <SessionForm
          projects={projects.data}
          project={projectId}
          sessions={sessions.data}
          last={[...sessions.data].sort((a, b) => b.createdAt.localeCompare(a.createdAt))[0]}
          firstProvider={providers.data[0]?.id ?? ""}
          providerIds={providers.data.map((provider) => provider.id)}
          onClose={onClose}
        />
      )}
      {known && providers.data.length === 0 && (
        <div className="flex flex-col items-start gap-3">
          <p className="text-sm text-soft">
            A session needs a model. Add a provider first: your own server, or a hosted one.
          </p>
          <Link
            to="/settings/$section"
            params={{ section: "providers" }}
            onClick={onClose}
            className="rounded-md bg-accent px-3 py-1.5 text-sm font-medium text-accent-ink"
          >
            Add a provider
          </Link>
        </div>
      )}
      {error && (
        <Notice
          tone="bad"
          action={
            <Button
              size="small"
              busy={missing.some((list) => list.isFetching)}
              onClick={() => void Promise.all(missing.map((list) => list.refetch()))}
            >
              Try again
            </Button>
          }
        >
          {error.message}
        </Notice>
      )}
      {!known && !error && <p className="text-sm text-faint">One moment …</p>}
    </Dialog>
  );
}

interface FormProps {
  projects: ProjectView[];
  project: string | undefined;
  sessions: readonly SessionView[];
  last: SessionView | undefined;
  firstProvider: string;
  providerIds: string[];
  onClose(): void;
}

function SessionForm({ projects, project, sessions, last, firstProvider, providerIds, onClose }: FormProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const known = last && providerIds.includes(last.providerId) ? last : undefined;
  const [projectId, setProjectId] = useState(project ?? last?.projectId ?? projects[0]?.id ?? NEW_PROJECT);
  const [projectName, setProjectName] = useState("");
  const [name, setName] = useState("");
  const [worktree, setWorktree] = useState(false);
  const [workspaceId, setWorkspaceId] = useState<string | null>();
  const [choice, setChoice] = useState<ModelChoice>({
    providerId: known?.providerId ?? firstProvider,
    model: known?.model ?? "",
    reasoningEffort: known?.reasoningEffort ?? "medium",
    approvalPolicy: known?.approvalPolicy ?? "auto",
  });

  useEffect(() => {
    if (projectId !== NEW_PROJECT && !projects.some((one) => one.id === projectId)) setProjectId(NEW_PROJECT);
  }, [projects, projectId]);

  // The project that was made for a session which then could not be: the next attempt goes on with it.
  const made = useRef<ProjectView | null>(null);
  async function newProject(): Promise<string> {
    const body: CreateProject = { name: projectName.trim() };
    if (made.current?.name !== body.name)
      made.current = { ...(await call<ProjectView>("/projects", { method: "POST", body })), name: body.name };
    return made.current.id;
  }

  // Where there is one drone only, nothing else can become of it: its files can be seen and named before the first prompt.
  const drones = useQuery(dronesQuery).data?.filter((drone) => drone.workspaceId) ?? [];
  const where = workspaceId ?? (drones.length === 1 ? drones[0]?.workspaceId : null);

  const latest = latestOf(sessions, projectId);
  const along = alongFrom(latest);
  const [takes, setTakes] = useState(true);

  const create = useMutation({
    mutationFn: async () => {
      const body: CreateSession = {
        ...choice,
        whenBusy: known?.whenBusy ?? "queue",
        projectId: projectId === NEW_PROJECT ? await newProject() : projectId,
        worktree,
        ...(along && takes ? along.along : {}),
        ...(where ? { workspaceId: where } : {}),
        ...(name.trim() ? { name: name.trim() } : {}),
      };
      return call<SessionView>("/sessions", { method: "POST", body });
    },
    onSuccess: async (session) => {
      await readAgain(client, "sessions", "projects");
      onClose();
      await navigate({ to: "/sessions/$sessionId", params: { sessionId: session.id } });
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    create.mutate();
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Select label="Project" value={projectId} onChange={(event) => setProjectId(event.target.value)}>
        {projects.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
        <option value={NEW_PROJECT}>New project …</option>
      </Select>
      {projectId === NEW_PROJECT && (
        <Field
          label="Name of the project"
          required
          maxLength={100}
          value={projectName}
          onChange={(event) => setProjectName(event.target.value)}
        />
      )}
      <WorkspaceField now={null} value={workspaceId} onChange={setWorkspaceId} />
      <ModelFields value={choice} onChange={setChoice} />
      <Field
        label="Name"
        placeholder="Empty: taken from the first prompt"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Check
        label="Own branch and worktree"
        hint="Its turns work beside the project’s directory, so that sessions do not get in each other’s way."
        checked={worktree}
        onChange={(event) => setWorktree(event.target.checked)}
      />
      {along && (
        <Check
          label={`Take along ${along.words} of “${latest?.name}”`}
          hint="The latest session of this project. They can be changed in the new one’s settings."
          data-testid="take-along"
          checked={takes}
          onChange={(event) => setTakes(event.target.checked)}
        />
      )}
      {create.error && <Notice tone="bad">{create.error.message}</Notice>}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={create.isPending} data-testid="create-session">
          Begin
        </Button>
      </div>
    </form>
  );
}
