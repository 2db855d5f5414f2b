// Notices of the browser's own, for a page that nobody looks at: only when a person asked for them here.
import { create } from "zustand";
import { NEWS_WORDS, type News } from "./news";

const KEY = "gadget.notify";

export type Permission = NotificationPermission | "unsupported";

function permission(): Permission {
  return "Notification" in window ? Notification.permission : "unsupported";
}

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) === "yes";
  } catch {
    return false;
  }
}

interface NotifyState {
  wanted: boolean;
  permission: Permission;
  /** Asks the person for permission when that was not done yet. */
  turnOn(): Promise<void>;
  turnOff(): void;
}

export const useNotify = create<NotifyState>((set) => ({
  wanted: stored(),
  permission: permission(),
  async turnOn() {
    const given = permission() === "default" ? await Notification.requestPermission() : permission();
    keep(given === "granted");
    set({ permission: given, wanted: given === "granted" });
  },
  turnOff() {
    keep(false);
    set({ wanted: false });
  },
}));

function keep(wanted: boolean): void {
  try {
    if (wanted) localStorage.setItem(KEY, "yes");
    else localStorage.removeItem(KEY);
  } catch {
    // Kept for this page only.
  }
}

/** Tells of the news; a click on it comes back to the page and opens the session. */
export function tell(news: readonly News[], open: (sessionId: string) => void): void {
  if (!useNotify.getState().wanted || permission() !== "granted") return;
  for (const { session, kind } of news) {
    try {
      // One for each session: a later one takes its place, whichever page it came from.
      const notice = new Notification(session.name, { body: NEWS_WORDS[kind], tag: `gadget-${session.id}` });
      notice.onclick = () => {
        window.focus();
        open(session.id);
        notice.close();
      };
    } catch {
      // Some browsers have the name only, and leave notices to service workers.
      useNotify.setState({ permission: "unsupported" });
    }
  }
}
