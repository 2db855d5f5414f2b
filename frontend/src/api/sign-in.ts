// Whether this browser has signed in. The credential itself is a cookie that scripts cannot read; this only
// remembers that there was one, so that the page does not ask in vain.
import { create } from "zustand";
import { call, ProblemError } from "./http";

const KEY = "gadget.signed-in";
const LOGOUT_PATIENCE_MILLIS = 10_000;

/** `leaving`: the person signed out, and the service could not be told yet. */
type Remembered = "yes" | "leaving" | "no";

function remembered(): Remembered {
  try {
    const value = localStorage.getItem(KEY);
    return value === "yes" || value === "leaving" ? value : "no";
  } catch {
    return "no";
  }
}

interface SignInState {
  signedIn: boolean;
  /** True when a session ended by itself while the page was open. */
  expired: boolean;
  /** True while the service does not know that the person signed out: the cookie is still good. */
  leaving: boolean;
  entered(): void;
  left(expired: boolean, leaving?: boolean): void;
}

export const useSignIn = create<SignInState>((set) => ({
  signedIn: remembered() === "yes",
  expired: false,
  leaving: remembered() === "leaving",
  entered() {
    remember("yes");
    set({ signedIn: true, expired: false, leaving: false });
  },
  left(expired, leaving = false) {
    remember(leaving ? "leaving" : "no");
    set({ signedIn: false, expired, leaving });
  },
}));

function remember(value: Remembered): void {
  try {
    if (value === "no") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, value);
  } catch {
    // Without storage the page asks for a sign-in after each reload.
  }
}

/** Ends the sign-in at the service; where that cannot be told, it is remembered. */
export async function endSignIn(): Promise<void> {
  const { left } = useSignIn.getState();
  try {
    await call("/auth/logout", { method: "POST", patienceMillis: LOGOUT_PATIENCE_MILLIS });
    left(false);
  } catch (error) {
    // Who is not signed in has nothing to end.
    left(false, !(error instanceof ProblemError && error.status === 401));
  }
}
