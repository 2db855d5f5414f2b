import { ArrowDown } from "lucide-react";
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";

const NEAR_PIXELS = 60;

/** Shows what comes last, as long as the person has not scrolled away from it. */
export function ScrollFollower({ children }: { children: ReactNode }) {
  const view = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const lastTop = useRef(0);
  const [away, setAway] = useState(false);

  useEffect(() => {
    if (!view.current || !content.current) return;
    const box = view.current;
    const observer = new ResizeObserver(() => {
      if (following.current) box.scrollTop = box.scrollHeight;
    });
    observer.observe(content.current);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);

  function onScroll() {
    const box = view.current;
    if (!box) return;
    const near = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PIXELS;
    // Only moving up leaves the end: what has grown meanwhile is no wish of the person.
    if (near) following.current = true;
    else if (box.scrollTop < lastTop.current) following.current = false;
    lastTop.current = box.scrollTop;
    setAway(!following.current);
  }

  /** Who opens a part wants to read it there, not to be taken to the end by its height. */
  function onClick(event: MouseEvent) {
    if (!(event.target as Element).closest("[aria-expanded]")) return;
    following.current = false;
    requestAnimationFrame(() => requestAnimationFrame(onScroll));
  }

  function toLatest() {
    following.current = true;
    setAway(false);
    view.current?.scrollTo({ top: view.current.scrollHeight });
  }

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={view}
        onScroll={onScroll}
        onClickCapture={onClick}
        className="thin-scroll h-full overflow-y-auto overscroll-contain"
      >
        <div ref={content} className="mx-auto max-w-3xl px-4 py-6 sm:px-6">
          {children}
        </div>
      </div>
      {away && (
        <button
          type="button"
          onClick={toLatest}
          className="absolute bottom-3 left-1/2 flex h-8 -translate-x-1/2 animate-rise items-center gap-1.5 rounded-full border border-line-strong bg-raised px-3 text-xs shadow-raised hover:bg-sunken"
        >
          <ArrowDown size={13} aria-hidden />
          Jump to latest
        </button>
      )}
    </div>
  );
}
