import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useId, useState } from "react";
import { call, messageOf } from "../../api/http";
import { examQuery, modelsQuery, profilesQuery } from "../../api/queries";
import { ProfileBadge } from "../../model/profile-badge";
import type { ExamView, ProviderView, StartExam } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { Notice } from "../../ui/notice";

/** Has a drone find out what a model can do. Closed meanwhile, the exam goes on and its profile is kept. */
export function ExamDialog({ provider, onClose }: { provider: ProviderView; onClose(): void }) {
  const client = useQueryClient();
  const list = useId();
  const models = useQuery(modelsQuery(provider.id));
  const [typed, setTyped] = useState<string | undefined>(provider.defaultModel ?? undefined);
  const model = typed ?? models.data?.[0]?.id ?? "";
  const [examId, setExamId] = useState("");
  const exam = useQuery({ ...examQuery(provider.id, examId), enabled: examId !== "" });
  const start = useMutation({
    mutationFn: () => {
      const body: StartExam = { model: model.trim() };
      return call<ExamView>(`/providers/${provider.id}/exams`, { method: "POST", body });
    },
    onSuccess: (begun) => {
      client.setQueryData(examQuery(provider.id, begun.id).queryKey, begun);
      setExamId(begun.id);
    },
  });
  const stop = useMutation({
    mutationFn: () => call(`/providers/${provider.id}/exams/${examId}`, { method: "DELETE" }),
  });
  const status = exam.data?.status;
  const running = start.isPending || (status === "running" && !exam.error);

  useEffect(() => {
    if (status === "done") void client.invalidateQueries({ queryKey: profilesQuery(provider.id).queryKey });
  }, [status, client, provider.id]);

  function submit(event: FormEvent) {
    event.preventDefault();
    stop.reset();
    start.mutate();
  }

  const trouble = start.error ?? exam.error ?? stop.error;
  return (
    <Dialog title="Test a model" onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Model"
          list={list}
          required
          maxLength={200}
          spellCheck={false}
          className="font-mono"
          value={model}
          disabled={running}
          onChange={(event) => setTyped(event.target.value)}
          hint="One of your drones asks it small tasks: five minutes at most, and about 70,000 tokens."
          error={models.error ? `${messageOf(models.error)} You can still type a model’s name.` : undefined}
        />
        <datalist id={list}>
          {models.data?.map((one) => (
            <option key={one.id} value={one.id} />
          ))}
        </datalist>
        {exam.data && <ExamState exam={exam.data} />}
        {trouble && <Notice tone="bad">{messageOf(trouble)}</Notice>}
        <div className="flex justify-end gap-2">
          {running && examId !== "" && (
            <Button busy={stop.isPending || stop.isSuccess} onClick={() => stop.mutate()}>
              Stop
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" busy={running} data-testid="start-exam">
            {running ? "Testing …" : "Test model"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function ExamState({ exam }: { exam: ExamView }) {
  if (exam.status === "failed") {
    return <Notice tone="bad">{exam.failure?.message ?? "The exam failed."}</Notice>;
  }
  return (
    <div className="flex flex-col gap-1.5" aria-live="polite">
      {exam.status === "running" && (
        <>
          <progress
            className="h-1.5 w-full accent-accent"
            value={exam.done}
            max={exam.of}
            aria-label="Progress"
          />
          <p className="text-xs text-soft">{exam.text || "Waiting for the drone …"}</p>
        </>
      )}
      {exam.profile && <ProfileBadge profile={exam.profile} />}
    </div>
  );
}
