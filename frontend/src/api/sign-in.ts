// Whether this browser has signed in. The credential itself is a cookie that scripts cannot read; this only
// remembers that there was one, so that the page does not ask in vain.
import { create } from "zustand";

const KEY = "gadget.signed-in";

function remembered(): boolean {
  try {
    return localStorage.getItem(KEY) === "yes";
  } catch {
    return false;
  }
}

interface SignInState {
  signedIn: boolean;
  /** True when a session ended by itself while the page was open. */
  expired: boolean;
  entered(): void;
  left(expired: boolean): void;
}

export const useSignIn = create<SignInState>((set) => ({
  signedIn: remembered(),
  expired: false,
  entered() {
    remember(true);
    set({ signedIn: true, expired: false });
  },
  left(expired) {
    remember(false);
    set({ signedIn: false, expired });
  },
}));

function remember(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(KEY, "yes");
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the page asks for a sign-in after each reload.
  }
}
