// Which terminal this tab of the browser shows in which session; a page that is loaded again goes on with it.
const key = (sessionId: string) => `gadget.terminal.${sessionId}`;

/** Also without TLS, where randomUUID is missing. */
function random(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

export function terminalIdOf(sessionId: string): string {
  try {
    const known = sessionStorage.getItem(key(sessionId));
    if (known) return known;
    const id = random();
    sessionStorage.setItem(key(sessionId), id);
    return id;
  } catch {
    return random();
  }
}

/** The next one is another. */
export function forgetTerminal(sessionId: string): void {
  try {
    sessionStorage.removeItem(key(sessionId));
  } catch {
    // Nothing is kept then.
  }
}
