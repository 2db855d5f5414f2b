// Text that was typed and not saved: the browser keeps it over a reload, by session and file.
const PREFIX = "gadget.draft.";
const OPEN_PREFIX = "gadget.open-file.";
/** What is older was forgotten by its person too. */
const LONGEST_MILLIS = 30 * 24 * 3_600_000;

export interface Draft {
  text: string;
  /** The version of the file that the text began with. */
  sha256: string;
  /** What the text and the file both began as; null when the browser has no room for it. */
  base: string | null;
  at: number;
}

const key = (sessionId: string, path: string) => `${PREFIX}${sessionId}.${path}`;

export function readDraft(sessionId: string, path: string): Draft | null {
  try {
    const draft = JSON.parse(localStorage.getItem(key(sessionId, path)) ?? "null") as Partial<Draft> | null;
    return typeof draft?.text === "string" && typeof draft.sha256 === "string" && typeof draft.at === "number"
      ? {
          text: draft.text,
          sha256: draft.sha256,
          base: typeof draft.base === "string" ? draft.base : null,
          at: draft.at,
        }
      : null;
  } catch {
    return null;
  }
}

/** Whether it could be kept: the browser has only so much room. */
export function keepDraft(
  sessionId: string,
  path: string,
  text: string,
  sha256: string,
  base: string | null = null,
): boolean {
  const draft: Draft = { text, sha256, base, at: Date.now() };
  try {
    localStorage.setItem(key(sessionId, path), JSON.stringify(draft));
    return true;
  } catch {
    // Without its beginning the text can still be compared, only not put together by itself.
    return base !== null && keepDraft(sessionId, path, text, sha256);
  }
}

export function dropDraft(sessionId: string, path: string): void {
  try {
    localStorage.removeItem(key(sessionId, path));
  } catch {
    // There is none where nothing can be kept.
  }
}

/** The files of a session that have unsaved text; what is too old is forgotten. */
export function draftPaths(sessionId: string): string[] {
  const paths: string[] = [];
  try {
    for (const name of Object.keys(localStorage).filter((one) => one.startsWith(`${PREFIX}${sessionId}.`))) {
      const path = name.slice(PREFIX.length + sessionId.length + 1);
      const draft = readDraft(sessionId, path);
      if (draft && Date.now() - draft.at < LONGEST_MILLIS) paths.push(path);
      else localStorage.removeItem(name);
    }
  } catch {
    // There is none where nothing can be kept.
  }
  return paths.sort();
}

/** The unsaved text of what was renamed goes with it; of what was deleted it goes away. */
export function moveDrafts(sessionId: string, from: string, to: string | null): void {
  for (const path of draftPaths(sessionId)) {
    if (path !== from && !path.startsWith(`${from}/`)) continue;
    const draft = readDraft(sessionId, path);
    if (draft && to !== null)
      keepDraft(sessionId, to + path.slice(from.length), draft.text, draft.sha256, draft.base);
    dropDraft(sessionId, path);
  }
}

/** The file that was open, so that a reload comes back to it. */
export function lastOpenFile(sessionId: string): string | null {
  try {
    return sessionStorage.getItem(OPEN_PREFIX + sessionId);
  } catch {
    return null;
  }
}

export function rememberOpenFile(sessionId: string, path: string | null): void {
  try {
    if (path === null) sessionStorage.removeItem(OPEN_PREFIX + sessionId);
    else sessionStorage.setItem(OPEN_PREFIX + sessionId, path);
  } catch {
    // A reload then begins with no file.
  }
}
