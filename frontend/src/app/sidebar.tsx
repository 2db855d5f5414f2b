import { Link } from "@tanstack/react-router";
import { Keyboard, LogOut, Monitor, Moon, Plus, Settings, Sun } from "lucide-react";
import { useRef } from "react";
import { SessionList } from "../features/session-list/session-list";
import { Button } from "../ui/button";
import { Logo } from "../ui/logo";
import { useMatches, useSheet } from "../ui/sheet";
import { DroneStatusLine } from "./drone-status-line";
import { useMe, useShell } from "./shell-context";
import { useSignOut } from "./sign-out";
import { type Theme, useTheme } from "./theme";

/** Below this it is a menu over the page. */
const narrow = window.matchMedia("(width < 48rem)");

/** It can be seen at once, as only what is seen takes the focus, and until it has moved away. */
const OPEN = "max-md:transition-[translate]";
const CLOSED = "max-md:invisible max-md:-translate-x-full max-md:transition-[translate,visibility]";

export function Sidebar({ open, onClose }: { open: boolean; onClose(): void }) {
  const { newSession } = useShell();
  const box = useRef<HTMLElement>(null);
  useSheet(box, {
    open,
    covers: useMatches(narrow),
    first: "a, button",
    opener: '[aria-controls="menu"]',
    close: onClose,
  });
  return (
    <nav
      ref={box}
      id="menu"
      aria-label="Projects and sessions"
      className={`z-40 flex w-68 shrink-0 flex-col border-r bg-side max-md:fixed max-md:inset-y-0 max-md:left-0 max-md:shadow-dialog max-md:duration-150 ${open ? OPEN : CLOSED}`}
    >
      <div className="flex h-12 shrink-0 items-center gap-2.5 px-3">
        <Link
          to="/"
          className="flex min-w-0 flex-1 items-center gap-2.5 rounded-md font-semibold tracking-tight"
        >
          <Logo size={24} />
          Gadget
        </Link>
        <Button size="small" data-testid="new-session" onClick={() => newSession()}>
          <Plus size={14} aria-hidden />
          New session
        </Button>
      </div>
      <SessionList />
      <DroneStatusLine />
      <AccountLine />
    </nav>
  );
}

const NEXT_THEME: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const THEME_WORDS: Record<Theme, string> = { system: "as the system", light: "light", dark: "dark" };

function AccountLine() {
  const { help } = useShell();
  const me = useMe();
  const signOut = useSignOut();
  const { theme, choose } = useTheme();
  const ThemeIcon = theme === "system" ? Monitor : theme === "light" ? Sun : Moon;

  return (
    <div className="flex h-12 shrink-0 items-center gap-0.5 border-t px-2">
      <span className="min-w-0 flex-1 truncate px-1 text-xs text-soft" title={me.email}>
        {me.name || me.email}
      </span>
      <Button kind="quiet" size="icon" aria-label="Show the keys" title="Show the keys (?)" onClick={help}>
        <Keyboard size={15} aria-hidden />
      </Button>
      <Button
        kind="quiet"
        size="icon"
        aria-label={`Colours: ${THEME_WORDS[theme]}. Change`}
        title={`Colours: ${THEME_WORDS[theme]}`}
        onClick={() => choose(NEXT_THEME[theme])}
      >
        <ThemeIcon size={15} aria-hidden />
      </Button>
      <Link
        to="/settings/$section"
        params={{ section: "providers" }}
        aria-label="Settings"
        title="Settings"
        className="grid size-8 place-items-center rounded-md text-soft hover:bg-sunken hover:text-ink"
      >
        <Settings size={15} aria-hidden />
      </Link>
      <Button kind="quiet" size="icon" aria-label="Sign out" title="Sign out" onClick={() => void signOut()}>
        <LogOut size={15} aria-hidden />
      </Button>
    </div>
  );
}
