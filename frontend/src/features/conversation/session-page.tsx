import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { SlidersHorizontal } from "lucide-react";
import { useEffect, useMemo } from "react";
import { useDroneOf } from "../../api/drones";
import { messageOf, ProblemError } from "../../api/http";
import { projectsQuery, sessionQuery } from "../../api/queries";
import { PageHeader } from "../../app/page-header";
import { useConnection } from "../../connection/connection";
import { useOpenConnection } from "../../connection/provider";
import type { SessionDetail } from "../../protocol/messages.gen";
import { isEnded } from "../../turn/reducer";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Notice } from "../../ui/notice";
import { EFFORT_WORDS, POLICY_WORD, POLICY_WORDS } from "../new-session/efforts";
import { useSessionSettings } from "../new-session/session-settings";
import { SessionSettingsDialog } from "../new-session/session-settings-dialog";
import { useTitle } from "../notify/page-title";
import { PanelToggle, SidePanel } from "../panel/side-panel";
import { RunningBadge } from "../processes/running-badge";
import { useBranch } from "./branch";
import { conversation, waits } from "./conversation";
import { sentBefore } from "./history";
import { useKeepPolicy } from "./policy-before";
import { ProjectBadge } from "./project-badge";
import { PromptBox } from "./prompt-box";
import { changed, changedSince } from "./put-back";
import { type Resend, ResendContext } from "./resend";
import { ScrollFollower } from "./scroll-follower";
import { useSubmitPrompt } from "./submit-prompt";
import { useSubmitting } from "./submitting";
import { TurnList } from "./turn-list";
import { UserMessage } from "./user-message";
import { WaitingPrompts } from "./waiting-prompts";

export function SessionPage() {
  const { sessionId } = useParams({ from: "/sessions/$sessionId" });
  const connection = useOpenConnection();
  const session = useQuery(sessionQuery(sessionId));

  useEffect(() => {
    connection?.show(sessionId);
    return () => connection?.show(undefined);
  }, [connection, sessionId]);

  // What was read of it before does not make it one that is there.
  const gone = session.error instanceof ProblemError && session.error.status === 404;
  if (session.data && !gone) return <OpenSession key={sessionId} session={session.data} />;
  return (
    <>
      <PageHeader>
        <h1 className="truncate text-sm font-medium">{session.error ? "Session" : "Opening …"}</h1>
      </PageHeader>
      {session.error && (
        <EmptyState
          title={gone ? "There is no such session" : "The session could not be read"}
          action={
            gone ? (
              <Link to="/" className="text-accent underline underline-offset-4">
                Go to the start
              </Link>
            ) : (
              <Button onClick={() => void session.refetch()} busy={session.isFetching}>
                Try again
              </Button>
            )
          }
        >
          {gone ? "It was deleted, or the address is mistyped." : messageOf(session.error)}
        </EmptyState>
      )}
    </>
  );
}

function OpenSession({ session }: { session: SessionDetail }) {
  const live = useConnection((connection) => connection.turns);
  const all = useMemo(() => conversation(session.id, session.turns, live), [session, live]);
  const sent = useMemo(() => sentBefore(all.map((copy) => copy.turn.prompt)), [all]);
  const waiting = all.filter((copy) => waits(copy, session.runningTurnId));
  const turns = all.filter((copy) => !waits(copy, session.runningTurnId));
  const lastTurnId = turns.at(-1)?.turn.id;
  const running = turns.findLast((copy) => !isEnded(copy.turn.status))?.turn.id;
  const submitting = useSubmitting(all, running);
  const pending = submitting.prompt;
  const again = useSubmitPrompt(session.id, submitting, { draft: false });
  const { mutate: send, reset: forgetFailure } = again;
  const { mutate: makeBranch, isPending: branching } = useBranch(session.id);
  const canSend = !again.isPending && (!running || session.whenBusy === "queue");
  // What failed before says nothing of what is sent now, or runs now.
  useEffect(() => {
    if (running) forgetFailure();
  }, [running, forgetFailure]);
  const fromBox = {
    ...submitting,
    begin(prompt: string) {
      forgetFailure();
      submitting.begin(prompt);
    },
  };
  const { worktree } = session;
  useKeepPolicy(session.id, session.approvalPolicy);
  const inOrder = all.map((copy) => copy.turn);
  const changes = changed(inOrder).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the turns only which of them changed files counts, else each token would draw all of them
  const resend = useMemo(
    (): Resend => ({
      send: (prompt, told) =>
        send(prompt, {
          ...told,
          onError(why) {
            if (!told?.onError) return;
            told.onError(why);
            forgetFailure();
          },
        }),
      canSend,
      lastTurnId,
      branch: (turnId, prompt, told) => makeBranch({ turnId, prompt }, told),
      canBranch: !branching,
      worktree,
      sessionId: session.id,
      changedSince: (turnId) => changedSince(inOrder, turnId),
    }),
    [send, canSend, lastTurnId, makeBranch, branching, worktree, session.id, changes],
  );

  useEffect(() => {
    useTitle.setState({ open: { name: session.name, running: !!running } });
    return () => useTitle.setState({ open: null });
  }, [session.name, running]);

  return (
    <>
      <SessionHeader session={session} />
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          <ScrollFollower sending={pending !== null}>
            {(follower) => (
              <>
                {all.length === 0 && !pending && <FirstPrompt session={session} />}
                <ResendContext value={resend}>
                  <TurnList
                    sessionId={session.id}
                    turns={turns}
                    earlier={!!session.earlier}
                    follower={follower}
                  />
                </ResendContext>
                {again.error && <Notice tone="bad">{again.error.message}</Notice>}
                {pending && (
                  <div className="opacity-70">
                    <UserMessage text={pending} />
                    <p className="mt-3 text-sm text-faint" role="status">
                      Sending …
                    </p>
                  </div>
                )}
              </>
            )}
          </ScrollFollower>
          <WaitingPrompts
            sessionId={session.id}
            workspaceId={session.workspaceId}
            runningTurnId={running}
            turns={waiting.map((copy) => copy.turn)}
          />
          <PromptBox session={session} runningTurnId={running} sent={sent} submitting={fromBox} />
        </div>
        <SidePanel session={session} />
      </div>
    </>
  );
}

function SessionHeader({ session }: { session: SessionDetail }) {
  const settings = useSessionSettings();
  const { close } = settings;
  useEffect(() => close, [close]);
  const projects = useQuery(projectsQuery);
  const project = projects.data?.find((one) => one.id === session.projectId);
  const effort = session.reasoningEffort === "off" ? "" : `thinks: ${EFFORT_WORDS[session.reasoningEffort]}`;
  return (
    <PageHeader>
      <h1 className="min-w-0 truncate text-sm">
        {project && (
          <span className="text-faint max-lg:hidden">
            <bdi>{project.name}</bdi> /{" "}
          </span>
        )}
        <bdi className="font-medium">{session.name}</bdi>
      </h1>
      <button
        type="button"
        onClick={() => settings.open("name")}
        // What is seen of it, however narrow the page is, stands in its name as it is seen.
        aria-label={`Model and session settings: ${session.model} ${POLICY_WORD[session.approvalPolicy]}${effort && ` ${effort}`}, ${POLICY_WORDS[session.approvalPolicy]}`}
        title="Model and session settings"
        className="flex h-7 min-w-0 shrink-0 items-center gap-1.5 rounded-full border px-2.5 text-2xs text-soft hover:bg-sunken"
      >
        <SlidersHorizontal size={12} aria-hidden className="shrink-0" />
        <span className="max-w-40 truncate font-mono max-sm:hidden">{session.model}</span>{" "}
        <span data-testid="policy" data-policy={session.approvalPolicy} className="text-faint">
          {POLICY_WORD[session.approvalPolicy]}
        </span>{" "}
        {effort && <span className="text-faint max-lg:hidden">{effort}</span>}
      </button>
      <ProjectBadge session={session} />
      <WorkspaceModeChip workspaceId={session.workspaceId} />
      <RunningBadge session={session} />
      <span className="flex-1" />
      <PanelToggle />
      {settings.at && <SessionSettingsDialog session={session} at={settings.at} onClose={close} />}
    </PageHeader>
  );
}

const MODE_WORDS = { agent: "The agent works here", user: "You edit here" } as const;

/** Who may write in the session's workspace, when somebody does. */
function WorkspaceModeChip({ workspaceId }: { workspaceId: string | null | undefined }) {
  const mode = useDroneOf(workspaceId)?.workspaceMode;
  return (
    <span role="status" data-testid="workspace-mode" data-mode={mode ?? "unknown"} className="shrink-0">
      {mode && mode !== "idle" && (
        <span className="rounded-full bg-sunken px-2 py-1 text-2xs text-soft max-lg:sr-only">
          {MODE_WORDS[mode]}
        </span>
      )}
    </span>
  );
}

function FirstPrompt({ session }: { session: SessionDetail }) {
  return (
    <div className="py-[12vh]">
      <h2 className="line-clamp-3 text-xl font-semibold tracking-tight [overflow-wrap:anywhere]" dir="auto">
        {session.name}
      </h2>
      <p className="mt-2 max-w-lg text-md text-soft">
        Say what you want done. The drone works in its workspace with{" "}
        <span className="font-mono text-sm">{session.model}</span>; you see what it thinks, says and changes
        as it happens, and can stop it at any time.
      </p>
    </div>
  );
}
