// One way to the HTTP API: JSON there and back, every refusal a problem in words.
import type { FailureCode, FileProblem, Problem } from "../protocol/messages.gen";

const PATIENCE_MILLIS = 30_000;
/** A whole session comes as slowly as the line is. */
const WHOLE_ANSWER_MILLIS = 300_000;

/** What the service refused, or that it could not be reached. */
export class ProblemError extends Error {
  constructor(
    readonly status: number,
    readonly code: FailureCode | "unreachable",
    message: string,
    readonly field?: string,
    /** All that the service said of it. */
    readonly problem?: Problem | FileProblem,
  ) {
    super(message);
    this.name = "ProblemError";
  }

  get unreachable(): boolean {
    return this.code === "unreachable";
  }
}

const UNREACHABLE =
  "The code service does not answer. Check that it runs and that you are online, then try again.";

export interface Request {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** How long the answer may take to begin. */
  patienceMillis?: number;
  /** How long it may take to its end; without it, as long as to begin. */
  wholeMillis?: number;
}

/** What each answer says of the service itself. */
export interface ServiceState {
  version: string;
  /** Whether all that turns said is stored. */
  saved: boolean;
}

const listeners = new Set<(service: ServiceState) => void>();

/** Tells of the service with each of its answers, until the returned function is called. */
export function onAnswer(heard: (service: ServiceState) => void): () => void {
  listeners.add(heard);
  return () => void listeners.delete(heard);
}

function hear(headers: Headers): void {
  const version = headers.get("gadget-version");
  // Without it something between the page and the service answered, or nobody is signed in.
  if (version === null) return;
  const saved = headers.get("gadget-saved") !== "false";
  for (const listener of listeners) listener({ version, saved });
}

/** Calls the API and returns the parsed body; without one, undefined. */
export async function call<T>(path: string, request: Request = {}): Promise<T> {
  const response = await open(path, {
    ...(request.patienceMillis ? {} : { wholeMillis: WHOLE_ANSWER_MILLIS }),
    ...request,
  });
  try {
    const text = await response.text();
    return (text ? JSON.parse(text) : undefined) as T;
  } catch (error) {
    // It broke off, or something between the page and the service answered.
    throw failed(error, request.signal);
  }
}

function failed(error: unknown, signal: AbortSignal | undefined): unknown {
  return signal?.aborted ? error : new ProblemError(0, "unreachable", UNREACHABLE);
}

/** Calls the API and returns the response as soon as its head is there, when it is a good one. */
export async function open(path: string, request: Request = {}): Promise<Response> {
  const { method = "GET", body, headers, signal, patienceMillis = PATIENCE_MILLIS } = request;
  const head = new AbortController();
  const timer = setTimeout(() => head.abort(), patienceMillis);
  const limits = [head.signal, AbortSignal.timeout(request.wholeMillis ?? patienceMillis)];
  let response: Response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.any(signal ? [signal, ...limits] : limits),
    });
  } catch (error) {
    throw failed(error, signal);
  } finally {
    clearTimeout(timer);
  }
  hear(response.headers);
  if (!response.ok) throw await problemOf(response);
  return response;
}

async function problemOf(response: Response): Promise<ProblemError> {
  try {
    const problem = (await response.json()) as Problem;
    if (typeof problem.code === "string") {
      return new ProblemError(
        response.status,
        problem.code,
        problem.detail || problem.title,
        problem.field ?? undefined,
        problem,
      );
    }
  } catch {
    // Not a problem document: something between the page and the service answered.
  }
  const gone = response.status >= 502 && response.status <= 504;
  return new ProblemError(
    response.status,
    gone ? "unreachable" : "internal",
    gone ? UNREACHABLE : `The service answered ${response.status}. Its log says more.`,
  );
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
