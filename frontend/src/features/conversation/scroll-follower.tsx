import { ArrowDown } from "lucide-react";
import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";

const NEAR_PIXELS = 60;
/** A scroll that comes this long after a person's wheel, touch or key is theirs. */
const HAND_MILLIS = 400;

export interface Follower {
  /** What scrolls. */
  box: RefObject<HTMLDivElement | null>;
  /** Something in it became higher or lower. */
  onResize(): void;
  /** The person looks at something else than the end. */
  leave(): void;
}

/** Shows what comes last, as long as the person has not scrolled away from it. */
export function ScrollFollower({
  sending = false,
  children,
  reachable,
  nested = false,
  follows = true,
}: {
  /** The person has just said something, and wants to see what comes of it. */
  sending?: boolean;
  children(follower: Follower): ReactNode;
  reachable?: boolean;
  /** Within a page that scrolls itself: it is as high as what it holds, up to a part of the screen. */
  nested?: boolean;
  /** More may come; without that it begins at its beginning. */
  follows?: boolean;
}) {
  const view = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(follows);
  const handAt = useRef(Number.NEGATIVE_INFINITY);
  const dragging = useRef(false);
  const [away, setAway] = useState(false);

  /** The way back is offered where there is one. */
  const look = useCallback(() => {
    const box = view.current;
    if (box) setAway(!following.current && !isNearEnd(box));
  }, []);

  const follow = useCallback(() => {
    const box = view.current;
    if (!box || !content.current) return;
    if (!following.current) return look();
    // Not scrollHeight: beyond the end that the list knows, rows that have just become higher are taken for out of sight, and removed unmeasured.
    box.scrollTop = content.current.offsetHeight - box.clientHeight;
  }, [look]);

  useEffect(() => {
    if (!view.current || !content.current) return;
    const box = view.current;
    const observer = new ResizeObserver(follow);
    observer.observe(content.current);
    observer.observe(box);
    const stop = new AbortController();
    const heard = { passive: true, signal: stop.signal };
    const hand = () => {
      handAt.current = performance.now();
    };
    for (const kind of ["wheel", "touchmove", "keydown"]) box.addEventListener(kind, hand, heard);
    // On the box itself it is the scroll bar.
    box.addEventListener("pointerdown", (event) => (dragging.current = event.target === box), heard);
    for (const kind of ["pointerup", "pointercancel"])
      addEventListener(kind, () => (dragging.current = false), heard);
    return () => {
      observer.disconnect();
      stop.abort();
    };
  }, [follow]);

  function onScroll() {
    const box = view.current;
    if (!box) return;
    const near = isNearEnd(box);
    // Parts that grow and fold move the view as well; only a person leaves the end.
    const byHand = dragging.current || performance.now() - handAt.current < HAND_MILLIS;
    if (near || byHand) following.current = near;
    look();
  }

  /** Who opens a part wants to read it there, not to be taken to the end by its height. */
  function onClick(event: MouseEvent) {
    if (!(event.target as Element).closest("[aria-expanded]")) return;
    following.current = false;
    requestAnimationFrame(() => requestAnimationFrame(onScroll));
  }

  const leave = useCallback(() => {
    following.current = false;
    // When what it looks at is in view.
    requestAnimationFrame(() => requestAnimationFrame(look));
  }, [look]);

  const toLatest = useCallback(() => {
    following.current = true;
    setAway(false);
    view.current?.scrollTo({ top: view.current.scrollHeight });
  }, []);

  useEffect(() => {
    if (sending) toLatest();
  }, [sending, toLatest]);

  return (
    <div className={nested ? "relative" : "relative min-h-0 flex-1"}>
      <div
        ref={view}
        // By keyboard, where nothing in it can have the focus.
        tabIndex={reachable ? 0 : undefined}
        onScroll={onScroll}
        onClickCapture={onClick}
        className={`thin-scroll overflow-y-auto ${nested ? "max-h-[min(60dvh,30rem)]" : "h-full overscroll-contain"}`}
      >
        <div ref={content} className={nested ? "" : "mx-auto max-w-3xl px-4 py-6 sm:px-6"}>
          {children({ box: view, onResize: follow, leave })}
        </div>
      </div>
      {away && follows && (
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

function isNearEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight < NEAR_PIXELS;
}
