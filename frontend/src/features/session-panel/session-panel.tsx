import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChartColumn, RefreshCw, SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { useShallow } from "zustand/react/shallow";
import { useDroneOf } from "../../api/drones";
import { messageOf } from "../../api/http";
import { sessionProjectQuery } from "../../api/project";
import { dronesQuery, sessionFiguresQuery } from "../../api/queries";
import { CONNECTION_TONES, connectionWords, DOOR_WORDS } from "../../app/connection-badge";
import { DRONE_TONES } from "../../app/drone-status-line";
import { useLookBack } from "../../app/look-back";
import { useConnection } from "../../connection/connection";
import type { DroneView, SessionDetail } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { StatusDot } from "../../ui/status-dot";
import { conversation } from "../conversation/conversation";
import { count, money } from "../conversation/figures";
import { standingInFull } from "../conversation/project-words";
import { useSyncProject } from "../conversation/use-sync-project";
import { Numbers, Part } from "../figures/plots";
import { limitWords } from "../new-session/limits";
import { useSessionSettings } from "../new-session/session-settings";
import { ProcessesPart } from "../processes/processes-part";
import { ContextMeter } from "./context-meter";
import { ModelChoices } from "./model-choices";
import { isCopied, usageOfAll } from "./usage";

/** What the open session works with: how full its context is, what it used, its model, its limits, where it works. */
export function SessionPanel({ session }: { session: SessionDetail }) {
  const openSettings = useSessionSettings((settings) => settings.open);
  return (
    <div data-testid="session-panel" className="thin-scroll min-h-0 flex-1 overflow-y-auto px-4 py-4">
      <h2 className="sr-only">Session</h2>
      <div className="flex flex-col gap-6">
        <Part title="Context">
          <ContextMeter session={session} />
        </Part>
        <ProcessesPart session={session} />
        <Used session={session} />
        <Part title="Model and approvals">
          <ModelChoices session={session} />
        </Part>
        <Part title="Limits">
          <p className="text-sm text-soft" data-testid="limit-words">
            {limitWords(session.limits)}
          </p>
          <Button size="small" className="self-start" onClick={() => openSettings("limits")}>
            <SlidersHorizontal size={13} aria-hidden />
            All settings …
          </Button>
        </Part>
        <Place session={session} />
      </div>
    </div>
  );
}

function Used({ session }: { session: SessionDetail }) {
  // Of the turns nothing but this, as the context has it.
  const usages = useConnection(
    useShallow(
      ({ turns }) =>
        new Map(
          conversation(session.id, session.turns, turns)
            .filter(({ turn }) => !isCopied(turn, session))
            .map(({ turn }) => [turn.id, turn.usage]),
        ),
    ),
  );
  // The page knows the latest turns itself, and as they run; the others do not change any more.
  const figures = useQuery({ ...sessionFiguresQuery(session.id), enabled: !!session.earlier });
  const show = useLookBack((lookBack) => lookBack.show);
  const leftOut = session.earlier ? figures.data?.leftOut : 0;
  const counted = figures.data?.turns ?? [];
  const branched = [...session.turns, ...counted].some((turn) => isCopied(turn, session));
  const { inputTokens, outputTokens, thinkingTokens, cost } = usageOfAll(
    usages,
    counted.filter((turn) => !isCopied(turn, session)),
    session.titleUsage,
  );
  // The oldest turns of a branch are copies too.
  const without = branched
    ? "without what was used before the branch"
    : leftOut
      ? `without the ${leftOut} oldest turns`
      : undefined;
  return (
    <Part title="Used so far" about={without}>
      {leftOut !== undefined ? (
        <div data-testid="session-usage">
          <Numbers
            items={[
              ["Tokens in", count(inputTokens)],
              ["Tokens out", count(outputTokens)],
              ["Thinking tokens", count(thinkingTokens)],
              ["Cost", cost == null ? "not known" : money(cost)],
            ]}
          />
        </div>
      ) : figures.error ? (
        <Notice
          tone="bad"
          action={
            <Button size="small" busy={figures.isFetching} onClick={() => void figures.refetch()}>
              Try again
            </Button>
          }
        >
          {messageOf(figures.error)}
        </Notice>
      ) : (
        <p className="text-sm text-faint">Adding up …</p>
      )}
      <Button
        size="small"
        className="self-start"
        onClick={() => show({ what: "session-figures", sessionId: session.id })}
      >
        <ChartColumn size={13} aria-hidden />
        Figures of this session
      </Button>
    </Part>
  );
}

/** Which drone works, in which files, and by which door the page hears of it. */
function Place({ session }: { session: SessionDetail }) {
  const drones = useQuery(dronesQuery);
  const drone = useDroneOf(session.workspaceId);
  const { state, door, offlineSince } = useConnection(
    useShallow(({ state, door, offlineSince }) => ({ state, door, offlineSince })),
  );
  return (
    <Part title="Where it works">
      <dl className="flex flex-col gap-3 text-sm" data-testid="session-place">
        <Fact name="Drone">
          {drone ? (
            <>
              <span className="flex items-center gap-2">
                <StatusDot tone={DRONE_TONES[drone.status]} />
                <bdi className="min-w-0 truncate font-medium">{drone.name}</bdi>
                <span className="text-xs text-faint">{drone.status}</span>
              </span>
              <span className="text-xs text-faint">
                {[drone.version && `Version ${drone.version}`, drone.hostname && `on ${drone.hostname}`]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </>
          ) : !session.workspaceId ? (
            "None yet: the first prompt gives the session a drone and its workspace."
          ) : drones.data ? (
            <>
              One that is not enrolled any more.{" "}
              <Link
                to="/settings/$section"
                params={{ section: "drones" }}
                className="text-accent underline underline-offset-2"
              >
                Drones in Settings
              </Link>
            </>
          ) : (
            "Looking for drones …"
          )}
        </Fact>
        {drone?.workspaceDir && (
          <Fact name="Workspace">
            <span className="font-mono text-xs">{drone.workspaceDir}</span>
          </Fact>
        )}
        <Project session={session} drone={drone} />
        <Fact name="This page">
          <span className="flex items-center gap-2">
            <StatusDot tone={CONNECTION_TONES[state]} />
            {connectionWords(state, offlineSince)}, by {DOOR_WORDS[door]}
          </span>
        </Fact>
      </dl>
    </Part>
  );
}

/** What the header asks for and keeps up to date is read here. */
function Project({ session, drone }: { session: SessionDetail; drone: DroneView | undefined }) {
  const enabled = !!session.workspaceId && !!drone && drone.status !== "offline";
  const { data } = useQuery({ ...sessionProjectQuery(session.id), enabled });
  const sync = useSyncProject(session.id);
  const checkedOut = data && (data.gitUrl || data.state.branch) ? data.state : undefined;
  if (!checkedOut && !session.worktree) return null;
  const works = drone?.workspaceMode === "agent";
  const note = sync.error ? messageOf(sync.error) : sync.data?.state.note;
  return (
    <Fact name="Project">
      {session.worktree && <span>The session has its own branch and worktree.</span>}
      {checkedOut && <span>{standingInFull(checkedOut)}</span>}
      {/* On a narrow page the header has no room for it. */}
      {enabled && data?.gitUrl && data.state.cloned && (
        <Button
          size="small"
          className="mt-1.5 self-start"
          data-testid="session-sync"
          disabled={works}
          title={works ? "The agent works here; sync when its turn is over" : "Fetch what is new"}
          busy={sync.isPending || data.state.syncing}
          onClick={() => sync.mutate()}
        >
          <RefreshCw size={13} aria-hidden />
          Sync the project
        </Button>
      )}
      <span role="status" className={`text-xs whitespace-pre-line ${sync.error ? "text-bad" : "text-soft"}`}>
        {note}
      </span>
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-2xs text-faint">{name}</dt>
      <dd className="flex min-w-0 flex-col [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
