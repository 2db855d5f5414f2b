import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import {
  Archive,
  ArchiveRestore,
  ChartColumn,
  FileJson,
  FileText,
  House,
  Keyboard,
  LogOut,
  type LucideIcon,
  MessageSquarePlus,
  Monitor,
  Moon,
  PanelRight,
  Pencil,
  Pin,
  PinOff,
  Play,
  RefreshCw,
  Settings,
  SlidersHorizontal,
  Square,
  Sun,
} from "lucide-react";
import { call } from "../../api/http";
import { sessionQuery, sessionsQuery } from "../../api/queries";
import { updateSession } from "../../api/sessions";
import { useLookBack } from "../../app/look-back";
import { useMe, useShell } from "../../app/shell-context";
import { keysOf } from "../../app/shortcuts";
import { useSignOut } from "../../app/sign-out";
import { useTheme } from "../../app/theme";
import { useOpenConnection } from "../../connection/provider";
import type { SessionView } from "../../protocol/messages.gen";
import { isEnded } from "../../turn/reducer";
import { exportAs } from "../conversation/export-as";
import { SETTINGS, type SettingName, useSessionSettings } from "../new-session/session-settings";
import { usePanel } from "../panel/panel-state";
import { PANEL_TABS } from "../panel/panel-tabs";
import { SECTIONS } from "../settings/sections";

export interface Command {
  id: string;
  words: string;
  Icon: LucideIcon;
  keys?: readonly string[];
  /** What it returns is waited for; a failure is shown. */
  run(): unknown;
}

/** All that can be done from here, what concerns the open session first. */
export function useCommands(): Command[] {
  const { sessionId } = useParams({ strict: false });
  const sessions = useQuery(sessionsQuery);
  const session = sessions.data?.find((one) => one.id === sessionId);
  const ofSession = useSessionCommands();
  return [...(session ? ofSession(session) : []), ...useGlobalCommands()];
}

function useSessionCommands(): (session: SessionView) => Command[] {
  const client = useQueryClient();
  const { rename } = useShell();
  const panel = usePanel();
  const lookBack = useLookBack((state) => state.show);
  const lastTurn = async (sessionId: string) => {
    const { turns } = await client.fetchQuery({ ...sessionQuery(sessionId), staleTime: 0 });
    const ended = turns.findLast((turn) => isEnded(turn.status));
    if (!ended) throw new Error("No turn of this session has ended yet. Wait for the first one.");
    return ended.id;
  };
  return (session) => {
    const { id, pinned, archived, runningTurnId } = session;
    const commands: (Command | false)[] = [
      !!runningTurnId && {
        id: "stop",
        words: "Stop the turn that runs",
        Icon: Square,
        keys: keysOf("stop"),
        run: () => call(`/turns/${runningTurnId}/cancel`, { method: "POST" }),
      },
      {
        id: "panel",
        words: panel.open ? "Hide the side panel" : "Show the side panel",
        Icon: PanelRight,
        keys: keysOf("panel"),
        run: panel.toggle,
      },
      ...PANEL_TABS.map((tab) => ({
        id: `panel-${tab.id}`,
        words: `Show ${tab.words}`,
        Icon: tab.Icon,
        run: () => panel.show(tab.id),
      })),
      ...Object.entries(SETTINGS).map(([name, words]) => ({
        id: `setting-${name}`,
        words: `This session: ${words}`,
        Icon: SlidersHorizontal,
        run: () => useSessionSettings.getState().open(name as SettingName),
      })),
      { id: "rename", words: "Rename this session", Icon: Pencil, run: () => rename(id) },
      {
        id: "pin",
        words: pinned ? "Unpin this session" : "Pin this session",
        Icon: pinned ? PinOff : Pin,
        run: () => updateSession(client, id, { pinned: !pinned }),
      },
      {
        id: "archive",
        words: archived ? "Take this session out of the archive" : "Archive this session",
        Icon: archived ? ArchiveRestore : Archive,
        run: () => updateSession(client, id, { archived: !archived }),
      },
      {
        id: "replay",
        words: "Replay the last turn",
        Icon: Play,
        run: async () => lookBack({ what: "replay", turnId: await lastTurn(id) }),
      },
      {
        id: "turn-figures",
        words: "Figures of the last turn",
        Icon: ChartColumn,
        run: async () => lookBack({ what: "turn-figures", turnId: await lastTurn(id) }),
      },
      {
        id: "session-figures",
        words: "Figures of this session",
        Icon: ChartColumn,
        run: () => lookBack({ what: "session-figures", sessionId: id }),
      },
      {
        id: "export-markdown",
        words: "Export this session as Markdown",
        Icon: FileText,
        run: () => exportAs(id, "markdown"),
      },
      {
        id: "export-json",
        words: "Export this session as JSON",
        Icon: FileJson,
        run: () => exportAs(id, "json"),
      },
    ];
    return commands.filter((one) => one !== false);
  };
}

function useGlobalCommands(): Command[] {
  const me = useMe();
  const navigate = useNavigate();
  const { newSession, help } = useShell();
  const connection = useOpenConnection();
  const chooseTheme = useTheme((theme) => theme.choose);
  const signOut = useSignOut();
  return [
    {
      id: "new-session",
      words: "New session",
      Icon: MessageSquarePlus,
      keys: keysOf("new-session"),
      run: () => newSession(),
    },
    { id: "home", words: "Go to the start", Icon: House, run: () => navigate({ to: "/" }) },
    ...Object.entries(SECTIONS)
      .filter(([, { adminOnly }]) => !adminOnly || me.role === "admin")
      .map(([section, { name }]) => ({
        id: `settings-${section}`,
        words: `Settings: ${name}`,
        Icon: Settings,
        run: () => navigate({ to: "/settings/$section", params: { section } }),
      })),
    { id: "theme-light", words: "Colours: light", Icon: Sun, run: () => chooseTheme("light") },
    { id: "theme-dark", words: "Colours: dark", Icon: Moon, run: () => chooseTheme("dark") },
    { id: "theme-system", words: "Colours: as the system", Icon: Monitor, run: () => chooseTheme("system") },
    {
      id: "sync",
      words: "Sync: read everything again",
      Icon: RefreshCw,
      run: () => connection?.sync(),
    },
    { id: "help", words: "Show the keys", Icon: Keyboard, keys: keysOf("help"), run: help },
    { id: "sign-out", words: "Sign out", Icon: LogOut, run: signOut },
  ];
}
