// What the page asks the service for, and under which keys it is kept.
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import type {
  AuditView,
  DroneView,
  ExamView,
  ModelView,
  Page,
  ProfileView,
  ProjectView,
  ProviderView,
  SessionAnalytics,
  SessionDetail,
  SessionView,
  SystemView,
  TokenView,
  Turn,
  TurnAnalytics,
  UserView,
} from "../protocol/messages.gen";
import { isEnded } from "../turn/reducer";
import { call } from "./http";
import { sharing, withKnown } from "./session-turns";

/** More pages than this are not read: a list that long is no list to look at. */
const MOST_PAGES = 20;
/** As many as the service gives at once. */
const PAGE = 200;
export const MOST_LISTED = MOST_PAGES * PAGE;
/** More than the prompts that can wait in a session, so that the one that runs is among them. */
const LATEST_TURNS = 30;
const EXAM_LOOK_MILLIS = 1_000;
const FIGURES_LOOK_MILLIS = 2_000;
const SYSTEM_LOOK_MILLIS = 5_000;

async function all<T>(path: string, signal: AbortSignal): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(cursor ? { cursor } : {}) });
    const answer = await call<Page<T>>(`${path}?${query}`, { signal });
    items.push(...answer.items);
    cursor = answer.next;
    if (!cursor) break;
  }
  return items;
}

const list = <T>(name: string) =>
  queryOptions({ queryKey: [name], queryFn: ({ signal }) => all<T>(`/${name}`, signal) });

export const providersQuery = list<ProviderView>("providers");
export const projectsQuery = list<ProjectView>("projects");
export const dronesQuery = list<DroneView>("drones");
export const sessionsQuery = list<SessionView>("sessions");
export const tokensQuery = list<TokenView>("tokens");
export const usersQuery = list<UserView>("users");

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => call<UserView>("/me", { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The session with its latest turns, and with those before them that somebody went back to. */
export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: ["session", id],
    queryFn: async ({ signal, client, queryKey }) => {
      const read = await call<SessionDetail>(`/sessions/${id}?latest=${LATEST_TURNS}`, { signal });
      return withKnown(client.getQueryData<SessionDetail>(queryKey), read);
    },
    structuralSharing: (before, now) => sharing(before as SessionDetail | undefined, now as SessionDetail),
  });

export const turnQuery = (id: string) =>
  queryOptions({
    queryKey: ["turn", id],
    queryFn: ({ signal }) => call<Turn>(`/turns/${id}`, { signal }),
  });

/** Of a turn that runs they are read again and again. */
export const turnFiguresQuery = (id: string) =>
  queryOptions({
    queryKey: ["turn-figures", id],
    queryFn: ({ signal }) => call<TurnAnalytics>(`/turns/${id}/analytics`, { signal }),
    staleTime: 0,
    refetchInterval: (query) => {
      const status = query.state.data?.turn.status;
      return status && !isEnded(status) ? FIGURES_LOOK_MILLIS : false;
    },
  });

export const sessionFiguresQuery = (id: string) =>
  queryOptions({
    queryKey: ["session-figures", id],
    queryFn: ({ signal }) => call<SessionAnalytics>(`/sessions/${id}/analytics`, { signal }),
    staleTime: 0,
  });

/** How the service is, for administrators; it changes all the time. */
export const systemQuery = queryOptions({
  queryKey: ["system"],
  queryFn: ({ signal }) => call<SystemView>("/admin/system", { signal }),
  staleTime: 0,
  refetchInterval: SYSTEM_LOOK_MILLIS,
});

/** Who did what, for administrators, the latest first. */
export const auditQuery = (kind: string, userId: string) =>
  infiniteQueryOptions({
    queryKey: ["audit", kind, userId],
    queryFn: ({ signal, pageParam }) => {
      const wanted = Object.entries({ kind, userId, cursor: pageParam }).filter(([, value]) => value);
      return call<Page<AuditView>>(`/admin/audit?${new URLSearchParams(wanted)}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: 0,
  });

/** The provider is asked itself, so the answer also says whether it works. */
export const modelsQuery = (providerId: string) =>
  queryOptions({
    queryKey: ["models", providerId],
    queryFn: async ({ signal }) =>
      (await call<Page<ModelView>>(`/providers/${providerId}/models`, { signal })).items,
    staleTime: 60_000,
    retry: false,
  });

/** What is known of the provider's models. */
export const profilesQuery = (providerId: string) =>
  queryOptions({
    queryKey: ["profiles", providerId],
    queryFn: async ({ signal }) =>
      (await call<Page<ProfileView>>(`/providers/${providerId}/profiles`, { signal })).items,
  });

/** Asked again for as long as the exam runs. */
export const examQuery = (providerId: string, examId: string) =>
  queryOptions({
    queryKey: ["exam", providerId, examId],
    queryFn: ({ signal }) => call<ExamView>(`/providers/${providerId}/exams/${examId}`, { signal }),
    refetchInterval: (query) =>
      query.state.data?.status === "running" && !query.state.error ? EXAM_LOOK_MILLIS : false,
  });

export type ListName = "providers" | "projects" | "drones" | "sessions" | "tokens" | "users";

export function readAgain(client: QueryClient, ...names: ListName[]): Promise<unknown> {
  return Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })));
}
