import { PanelRight, X } from "lucide-react";
import { type KeyboardEvent, memo, type PointerEvent, Suspense, useEffect, useRef, useState } from "react";
import { ErrorBoundary } from "../../app/error-boundary";
import type { SessionDetail } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { useMatches, useSheet } from "../../ui/sheet";
import { NARROWEST, narrow, usePanel, within } from "./panel-state";
import { PANEL_TABS } from "./panel-tabs";

const STEP = 24;

/**
 * Beside the conversation, over it on a narrow screen: what the session's workspace looks like, and what it works with. What streams
 * into the conversation draws nothing anew here.
 */
export const SidePanel = memo(function SidePanel({ session }: { session: SessionDetail }) {
  const { open, width, tab, toggle } = usePanel();
  const shown = PANEL_TABS.find((one) => one.id === tab) ?? PANEL_TABS[0];
  const box = useRef<HTMLElement>(null);
  useSheet(box, {
    open,
    covers: useMatches(narrow),
    first: '[role="tab"][aria-selected="true"]',
    opener: '[aria-controls="side-panel"]',
    close: toggle,
  });
  const [visited, setVisited] = useState<readonly string[]>([]);

  useEffect(() => {
    if (open && shown) setVisited((before) => (before.includes(shown.id) ? before : [...before, shown.id]));
  }, [open, shown]);

  return (
    <aside
      ref={box}
      id="side-panel"
      aria-label="Workspace and session"
      data-testid="panel"
      hidden={!open}
      style={{ width: within(width) }}
      className="relative flex max-w-[min(75%,calc(100%-18rem))] shrink-0 flex-col border-l bg-ground [&[hidden]]:hidden max-[900px]:fixed max-[900px]:inset-0 max-[900px]:z-40 max-[900px]:w-full! max-[900px]:max-w-none max-[900px]:border-l-0"
    >
      <Resizer />
      <div className="flex h-10 shrink-0 items-center gap-1 border-b px-2">
        <div
          role="tablist"
          aria-label="Workspace and session"
          className="@container flex min-w-0 flex-1 gap-1"
          onKeyDown={onTabKey}
        >
          {PANEL_TABS.map(({ id, label, Icon }) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={`panel-tab-${id}`}
              data-testid={`panel-tab-${id}`}
              aria-selected={id === shown?.id}
              aria-controls={`panel-content-${id}`}
              tabIndex={id === shown?.id ? 0 : -1}
              onClick={() => usePanel.getState().show(id)}
              title={label}
              className="flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-sm text-soft hover:bg-sunken aria-selected:bg-sunken aria-selected:font-medium aria-selected:text-ink"
            >
              <Icon size={14} aria-hidden />
              {/* Where not all names have room the one that is shown keeps its own. */}
              <span className={id === shown?.id ? "" : "@max-[22rem]:sr-only"}>{label}</span>
            </button>
          ))}
        </div>
        <Button
          kind="quiet"
          size="icon"
          aria-label="Close the panel"
          title="Close the panel"
          onClick={toggle}
        >
          <X size={15} aria-hidden />
        </Button>
      </div>
      {PANEL_TABS.filter(({ id }) => visited.includes(id)).map(({ id, Content }) => (
        <div
          key={id}
          role="tabpanel"
          id={`panel-content-${id}`}
          aria-labelledby={`panel-tab-${id}`}
          hidden={id !== shown?.id}
          className="flex min-h-0 flex-1 flex-col [&[hidden]]:hidden"
        >
          <ErrorBoundary>
            <Suspense fallback={<p className="p-4 text-sm text-faint">Opening …</p>}>
              <Content session={session} />
            </Suspense>
          </ErrorBoundary>
        </div>
      ))}
    </aside>
  );
});

function onTabKey(event: KeyboardEvent) {
  const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (by === 0) return;
  const { tab, show } = usePanel.getState();
  const at = PANEL_TABS.findIndex((one) => one.id === tab);
  const next = PANEL_TABS[(at + by + PANEL_TABS.length) % PANEL_TABS.length];
  if (!next) return;
  show(next.id);
  document.getElementById(`panel-tab-${next.id}`)?.focus();
}

function Resizer() {
  const { width, resize } = usePanel();

  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    const handle = event.currentTarget;
    const right = handle.parentElement?.getBoundingClientRect().right ?? window.innerWidth;
    handle.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) => resize(right - moved.clientX);
    const stop = new AbortController();
    handle.addEventListener("pointermove", move, { signal: stop.signal });
    for (const kind of ["pointerup", "pointercancel"])
      handle.addEventListener(kind, () => stop.abort(), { signal: stop.signal });
    event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved, this can
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the panel"
      aria-valuenow={within(width)}
      aria-valuemin={NARROWEST}
      aria-valuemax={within(Number.MAX_SAFE_INTEGER)}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={(event) => {
        // From what is seen: a narrow window shows less than was wanted.
        const seen = event.currentTarget.parentElement?.offsetWidth ?? width;
        if (event.key === "ArrowLeft") resize(seen + STEP);
        if (event.key === "ArrowRight") resize(seen - STEP);
      }}
      className="absolute inset-y-0 -left-1 z-10 w-2 cursor-col-resize touch-none hover:bg-accent/20 focus-visible:bg-accent/20 max-[900px]:hidden"
    />
  );
}

/** Opens and closes the panel, from the page's head. */
export function PanelToggle() {
  const { open, toggle } = usePanel();
  return (
    <Button
      kind="quiet"
      size="icon"
      data-testid="panel-toggle"
      aria-label={
        open ? "Hide files, changes, terminal and session" : "Show files, changes, terminal and session"
      }
      title={open ? "Hide files, changes, terminal and session" : "Show files, changes, terminal and session"}
      aria-expanded={open}
      aria-controls="side-panel"
      onClick={toggle}
    >
      <PanelRight size={16} aria-hidden />
    </Button>
  );
}
