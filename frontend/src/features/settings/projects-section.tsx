import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "../../api/http";
import { projectsQuery, readAgain } from "../../api/queries";
import type { CreateProject, ProjectView, UpdateProject } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { DeleteButton, DialogActions, day, ItemList, SectionHead } from "./parts";

export function ProjectsSection() {
  const projects = useQuery(projectsQuery);
  const [editing, setEditing] = useState<ProjectView | "new" | null>(null);
  return (
    <>
      <SectionHead
        title="Projects"
        about="Sessions are kept by project."
        action={
          <Button kind="primary" onClick={() => setEditing("new")}>
            Add a project
          </Button>
        }
      />
      <ItemList query={projects} empty="No project yet. A name is all that it needs.">
        {(project) => (
          <>
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium" dir="auto">
                {project.name}
              </p>
              <p className="truncate font-mono text-xs text-soft">{project.gitUrl ?? project.slug}</p>
              <p className="text-xs text-faint">Since {day(project.createdAt)}</p>
            </div>
            <Button size="small" kind="quiet" onClick={() => setEditing(project)}>
              Edit
            </Button>
            <DeleteButton path={`/projects/${project.id}`} list="projects" />
          </>
        )}
      </ItemList>
      {editing && (
        <ProjectDialog project={editing === "new" ? undefined : editing} onClose={() => setEditing(null)} />
      )}
    </>
  );
}

function ProjectDialog({ project, onClose }: { project: ProjectView | undefined; onClose(): void }) {
  const client = useQueryClient();
  const [name, setName] = useState(project?.name ?? "");
  const [gitUrl, setGitUrl] = useState(project?.gitUrl ?? "");
  const save = useMutation({
    mutationFn: () => {
      const body: CreateProject | UpdateProject = {
        name: name.trim(),
        // Said also when it is empty: then there shall be none any more.
        gitUrl: gitUrl.trim(),
      };
      return project
        ? call(`/projects/${project.id}`, { method: "PATCH", body })
        : call("/projects", { method: "POST", body });
    },
    onSuccess: async () => {
      await readAgain(client, "projects");
      onClose();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate();
  }
  return (
    <Dialog title={project ? "Edit the project" : "Add a project"} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Name"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label="Git address"
          className="font-mono"
          placeholder="https://example.org/team/app.git"
          hint="Optional."
          value={gitUrl}
          onChange={(event) => setGitUrl(event.target.value)}
        />
        {save.error && <Notice tone="bad">{save.error.message}</Notice>}
        <DialogActions busy={save.isPending} onClose={onClose} word={project ? "Save" : "Add"} />
      </form>
    </Dialog>
  );
}
