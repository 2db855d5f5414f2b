import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { call } from "../api/http";
import { sessionsQuery } from "../api/queries";
import { usePanel } from "../features/panel/panel-state";
import { composes } from "../ui/composing";
import { type ShortcutId, shortcutOf, takesLetters } from "./shortcuts";

/** What the keys do that the frame around the pages knows of. */
export interface ShellKeys {
  palette(): void;
  help(): void;
  newSession(): void;
  openMenu(): void;
}

/** Hears the keys that do something everywhere. */
export function useShortcuts(shell: ShellKeys): void {
  const navigate = useNavigate();
  const cancel = useMutation({ mutationFn: (id: string) => call(`/turns/${id}/cancel`, { method: "POST" }) });
  const { sessionId } = useParams({ strict: false });
  const sessions = useQuery(sessionsQuery);

  function go(by: number) {
    const links = [...document.querySelectorAll<HTMLElement>("[data-session-link]")];
    if (links.length === 0) return;
    const at = links.findIndex((link) => link.dataset.sessionLink === sessionId);
    const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : (at + by + links.length) % links.length];
    const id = next?.dataset.sessionLink;
    if (id) void navigate({ to: "/sessions/$sessionId", params: { sessionId: id } });
  }

  function stop() {
    const turnId = sessions.data?.find((one) => one.id === sessionId)?.runningTurnId;
    if (!turnId) return;
    // When it is refused the turn has ended meanwhile, which is seen.
    cancel.mutate(turnId);
  }

  function focus(selector: string) {
    document.querySelector<HTMLElement>(selector)?.focus();
  }

  const act: Record<ShortcutId, () => void> = {
    palette: shell.palette,
    help: shell.help,
    "new-session": shell.newSession,
    "find-session": () => {
      shell.openMenu();
      // On a narrow screen the list is only there when the menu is.
      requestAnimationFrame(() => focus("#find-session"));
    },
    "previous-session": () => go(-1),
    "next-session": () => go(1),
    prompt: () => focus('[data-testid="prompt-input"]'),
    panel: () => sessionId && usePanel.getState().toggle(),
    stop,
  };

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || composes(event)) return;
    const asked = shortcutOf(event, takesLetters(event));
    if (!asked) return;
    // Over a dialog nothing else opens.
    if (document.querySelector("dialog[open]")) return;
    event.preventDefault();
    act[asked]();
  });

  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
