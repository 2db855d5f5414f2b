// The page's one connection to what happens: picks a door, keeps the copies of the open session's turns.
import type { QueryClient } from "@tanstack/react-query";
import { create } from "zustand";
import { WORKSPACES, workspaceKey } from "../api/files";
import { onAnswer, type ServiceState } from "../api/http";
import { dronesQuery, meQuery, readAgain, sessionQuery, sessionsQuery } from "../api/queries";
import { useSignIn } from "../api/sign-in";
import type { SessionDetail, SessionView, TurnAccepted } from "../protocol/messages.gen";
import type { TurnCopy } from "../turn/reducer";
import {
  type ConnectionState,
  type Door,
  type DoorChoice,
  type DoorEvents,
  type DoorName,
  foundDoor,
  storeChoice,
  storedChoice,
  storeFoundDoor,
} from "./door";
import { Feed } from "./feed";
import { HttpDoor } from "./http-door";
import { socketWorks, WebSocketDoor } from "./websocket-door";

const SOCKET_AGAIN_MILLIS = 60_000;
/** What changes of a session when one of its turns begins or ends, or waits. */
const TRACES = ["runningTurnId", "turnEndedAt", "updatedAt"] as const;

export interface ConnectionView {
  choice: DoorChoice;
  door: DoorName;
  state: ConnectionState;
  offlineSince: Date | null;
  /** False while the service cannot store what it shows. */
  saved: boolean;
  /** That of the service to which the page connected first, and which it is from. */
  pageVersion: string | null;
  serviceVersion: string | null;
  /** The service does not speak the page's protocol any more. */
  refused: boolean;
  turns: Readonly<Record<string, TurnCopy>>;
}

export const useConnection = create<ConnectionView>(() => ({
  choice: storedChoice(),
  door: "websocket",
  state: "connecting",
  offlineSince: null,
  saved: true,
  pageVersion: null,
  serviceVersion: null,
  refused: false,
  turns: {},
}));

/** Whether the service is another one than the page is from, so that the page is to be loaded again. */
export function isOutdated({ pageVersion, serviceVersion, refused }: ConnectionView): boolean {
  return refused || pageVersion !== serviceVersion;
}

/** Owns the door; there is one while somebody is signed in. */
export class Connection {
  private door: Door;
  private sessionId: string | undefined;
  private stopped = false;
  /** A turn took a prompt that waited, of which a socket is told. */
  private promptTaken = false;
  private lived = false;
  private readonly feed: Feed;
  private readonly retrySocket: ReturnType<typeof setInterval>;
  private readonly forgetAnswers = onAnswer((service) => this.answered(service));
  private readonly onOnline = () => this.door.hurry();

  constructor(private readonly client: QueryClient) {
    this.feed = new Feed({
      changed: (turns) => useConnection.setState({ turns }),
      ended: (copy) => this.turnEnded(copy),
      gap: (turnId) => this.door.follow(turnId),
    });
    const { choice } = useConnection.getState();
    this.door = this.openDoor(choice === "auto" ? (foundDoor() ?? "websocket") : choice);
    this.retrySocket = setInterval(() => void this.backToSocket(), SOCKET_AGAIN_MILLIS);
    window.addEventListener("online", this.onOnline);
  }

  show(sessionId: string | undefined): void {
    if (this.sessionId !== sessionId) this.feed.clear();
    this.sessionId = sessionId;
    this.door.show(sessionId);
  }

  /** A turn that this page has begun; a socket is told by itself. */
  began({ turnId, status }: TurnAccepted): void {
    if (this.door.name === "websocket") return;
    // It may wait for long, and is changed, moved and removed meanwhile: it is followed when its session runs it.
    if (status === "queued") this.door.hurry();
    else this.door.follow(turnId);
  }

  /** Looks at once whether anything was missed, and reads everything again. */
  async sync(): Promise<void> {
    this.door.hurry();
    await this.readAllAgain();
  }

  choose(choice: DoorChoice): void {
    storeChoice(choice);
    storeFoundDoor(null);
    useConnection.setState({ choice });
    this.use(choice === "auto" ? "websocket" : choice);
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.retrySocket);
    window.removeEventListener("online", this.onOnline);
    this.forgetAnswers();
    this.door.close();
    this.feed.clear();
  }

  private use(name: DoorName): void {
    if (this.stopped) return;
    this.door.close();
    this.door = this.openDoor(name);
    this.door.show(this.sessionId);
    if (name !== "websocket") for (const turnId of this.feed.unfinished()) this.door.follow(turnId);
  }

  private openDoor(name: DoorName): Door {
    // A socket is told when things are not stored; behind the other doors the next answer says it.
    useConnection.setState({ door: name, state: "connecting", saved: true });
    const events = this.events();
    return name === "websocket" ? new WebSocketDoor(events) : new HttpDoor(name, events);
  }

  private events(): DoorEvents {
    return {
      state: (state) => this.setState(state),
      news: (event) => this.news(event),
      changes: (turnId, changes, cursor) => {
        if (changes.some((change) => change.kind === "text_delta" && change.mode === "prompt"))
          this.promptTaken = true;
        this.feed.receive(turnId, changes, cursor);
      },
      cursorOf: (turnId) => this.feed.cursorOf(turnId),
      unfinished: () => this.feed.unfinished(),
      ended: (turnId) => this.feed.ended(turnId),
      over: (turnId) => this.feed.over(turnId),
      lookAround: () => this.lookAround(),
      blocked: (door) => this.blocked(door),
      signedOut: () => useSignIn.getState().left(true),
    };
  }

  private setState(state: ConnectionState): void {
    const before = useConnection.getState();
    if (before.state === state) return;
    // What happened before it was live again was told to nobody, however short that was.
    const missed = state === "live" && (this.lived || before.offlineSince !== null);
    const offlineSince =
      state === "live" ? null : (before.offlineSince ?? (state === "offline" ? new Date() : null));
    useConnection.setState({ state, offlineSince });
    this.lived ||= state === "live";
    if (missed) void this.readAllAgain();
  }

  private readAllAgain(): Promise<unknown> {
    return this.client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== "models" });
  }

  private news(event: Parameters<DoorEvents["news"]>[0]): void {
    switch (event.type) {
      case "welcome":
        this.isOfVersion(event.serviceVersion);
        useConnection.setState({ refused: false });
        this.forgetOtherThan(event.userId);
        break;
      case "drone_changed":
        void readAgain(this.client, "drones");
        // What could not be read of a workspace was perhaps only its drone that was away.
        void this.client.invalidateQueries({
          queryKey: WORKSPACES,
          predicate: (query) => query.state.status === "error",
        });
        break;
      case "session_changed":
        void readAgain(this.client, "sessions");
        void this.client.invalidateQueries({ queryKey: sessionQuery(event.sessionId).queryKey });
        // It may work in another place now, or what a turn changed was undone elsewhere.
        void this.client.invalidateQueries({ queryKey: workspaceKey(event.sessionId) });
        break;
      case "turn_started":
        void readAgain(this.client, "sessions");
        break;
      case "durability_changed":
        useConnection.setState({ saved: event.saved });
        break;
      case "lists_changed":
        void this.readAllAgain();
        break;
      case "workspace_mode_changed":
        this.client.setQueryData(dronesQuery.queryKey, (drones) =>
          drones?.map((drone) =>
            drone.workspaceId === event.workspaceId ? { ...drone, workspaceMode: event.mode } : drone,
          ),
        );
        break;
      case "refused":
        if (event.failure.code === "protocol_mismatch") useConnection.setState({ refused: true });
        break;
      case "answer":
      case "pong":
        break;
    }
  }

  private isOfVersion(version: string): void {
    useConnection.setState(({ pageVersion }) => ({
      pageVersion: pageVersion ?? version,
      serviceVersion: version,
    }));
  }

  /** A socket is told these things by itself, and sooner. */
  private answered({ version, saved }: ServiceState): void {
    if (this.door.name === "websocket") return;
    this.isOfVersion(version);
    useConnection.setState({ saved });
  }

  /** Somebody else may have signed in from another tab: what is known is not theirs. */
  private forgetOtherThan(userId: string): void {
    const me = this.client.getQueryData(meQuery.queryKey);
    if (me && me.id !== userId) void this.client.resetQueries();
  }

  private async lookAround(): Promise<string | undefined> {
    const before = this.client.getQueryData(sessionsQuery.queryKey);
    const [sessions] = await Promise.all([
      this.client.fetchQuery({ ...sessionsQuery, staleTime: 0, retry: false }) as Promise<SessionView[]>,
      readAgain(this.client, "drones"),
    ]);
    const listed = sessions.find((session) => session.id === this.sessionId);
    // It waits no more by now: a look comes seconds after.
    if (this.promptTaken && this.sessionId)
      void this.client.invalidateQueries({ queryKey: sessionQuery(this.sessionId).queryKey });
    this.promptTaken = false;
    if (listed) this.compare(listed);
    else if (this.sessionId && before?.some((session) => session.id === this.sessionId))
      void this.client.invalidateQueries({ queryKey: sessionQuery(this.sessionId).queryKey });
    return listed?.runningTurnId ?? undefined;
  }

  /** A turn that began and ended between two looks left no other trace than this. */
  private compare(listed: SessionView): void {
    const { queryKey } = sessionQuery(listed.id);
    const known = this.client.getQueryData<SessionDetail>(queryKey);
    if (known && TRACES.some((trace) => (known[trace] ?? null) !== (listed[trace] ?? null)))
      void this.client.invalidateQueries({ queryKey });
  }

  private blocked(door: DoorName): void {
    if (useConnection.getState().choice !== "auto" || this.door.name !== door) return;
    if (door === "polling") return;
    const next = door === "websocket" ? "sse" : "polling";
    // Streams are tried again after a reload: what held them back may have been a moment.
    storeFoundDoor("sse");
    this.use(next);
  }

  private async backToSocket(): Promise<void> {
    const { choice, state } = useConnection.getState();
    if (choice !== "auto" || state !== "live" || this.door.name === "websocket") return;
    if (!(await socketWorks()) || this.stopped || useConnection.getState().choice !== "auto") return;
    storeFoundDoor(null);
    this.use("websocket");
  }

  private turnEnded(copy: TurnCopy): void {
    void readAgain(this.client, "sessions", "drones");
    void this.client.invalidateQueries({ queryKey: sessionQuery(copy.turn.sessionId).queryKey });
    void this.client.invalidateQueries({ queryKey: workspaceKey(copy.turn.sessionId) });
  }
}
