import { Files, Gauge, GitCompare, type LucideIcon, SquareTerminal } from "lucide-react";
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { SessionDetail } from "../../protocol/messages.gen";

export interface PanelTab {
  id: string;
  label: string;
  /** What it shows, in the palette. */
  words: string;
  Icon: LucideIcon;
  /** Stays mounted once it was shown, so that what a person did there is still there when they come back. */
  Content: LazyExoticComponent<ComponentType<{ session: SessionDetail }>>;
}

/** The tabs of the side panel, in their order. */
export const PANEL_TABS: readonly PanelTab[] = [
  {
    id: "files",
    label: "Files",
    words: "files of the workspace",
    Icon: Files,
    Content: lazy(async () => ({ default: (await import("../files/files-panel")).FilesPanel })),
  },
  {
    id: "changes",
    label: "Changes",
    words: "changes of the workspace",
    Icon: GitCompare,
    Content: lazy(async () => ({ default: (await import("../changes/changes-panel")).ChangesPanel })),
  },
  {
    id: "terminal",
    label: "Terminal",
    words: "terminal of the workspace",
    Icon: SquareTerminal,
    Content: lazy(async () => ({ default: (await import("../terminal/terminal-panel")).TerminalPanel })),
  },
  {
    id: "session",
    label: "Session",
    words: "session: context, what runs in the background, tokens, cost and model",
    Icon: Gauge,
    Content: lazy(async () => ({ default: (await import("../session-panel/session-panel")).SessionPanel })),
  },
];
