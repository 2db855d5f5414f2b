import { ChevronDown, ChevronUp, X } from "lucide-react";
import {
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import { IS_MAC } from "../../app/shortcuts";
import { Button } from "../../ui/button";
import { composes } from "../../ui/composing";
import { useReturnFocus } from "../../ui/return-focus";
import { type Found, find, isReadable, rangeOf } from "./find";
import type { Segment } from "./segments";

const MARK = "found";
/** A row that is scrolled to is on the page after a few frames. */
const MOST_FRAMES = 30;
const SETTLING_FRAMES = 10;
/** The line of a call itself: within one that is open there may be others. */
const CLOSED = ':scope > [data-call-line] > button[aria-expanded="false"]';

interface FindBarProps {
  rows: readonly Segment[];
  /** Whether there are turns before these. */
  earlier: boolean;
  /** Reads them; false when they could not be read. */
  readEarlier(): Promise<boolean>;
  /** Brings a row into the view. */
  show(row: number): void;
}

/** Finds words in the session: the browser's own search does not see what is far from the view. */
export function FindBar(props: FindBarProps) {
  const [open, setOpen] = useState(false);
  const onKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const mod = IS_MAC ? event.metaKey : event.ctrlKey;
    if (!mod || event.shiftKey || event.altKey || event.key.toLowerCase() !== "f") return;
    // Pressed once more it is the browser's, as it is in an editor and over a dialog.
    const inBar = document.activeElement?.closest("[data-find-bar]");
    if (event.defaultPrevented || inBar || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    if (open) document.querySelector<HTMLElement>("[data-find-bar] input")?.focus();
    setOpen(true);
  });
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
  return open ? <OpenBar {...props} onClose={() => setOpen(false)} /> : null;
}

function OpenBar({ rows, earlier, readEarlier, show, onClose }: FindBarProps & { onClose(): void }) {
  const [words, setWords] = useState("");
  const [at, setAt] = useState<string | null>(null);
  const [reading, setReading] = useState(false);
  /** It goes on to what is older as soon as there is some. */
  const [wantsOlder, setWantsOlder] = useState(false);
  const late = useDeferredValue(words);
  const shown = useMemo(() => find(rows, late), [rows, late]);
  const place = shown.findIndex((one) => one.key === at);

  const input = useRef<HTMLInputElement>(null);
  useReturnFocus();
  useEffect(() => input.current?.focus(), []);
  useEffect(() => () => void CSS.highlights?.delete(MARK), []);

  function go(to: Found | undefined) {
    if (!to) return;
    setAt(to.key);
    show(to.row);
    mark(rows[to.row]?.key ?? "", to.block, words);
  }

  /** Who types fast and goes on at once means the words as they are now. */
  function next(by: 1 | -1): Found | undefined {
    const found = late === words ? shown : find(rows, words);
    const from = found.findIndex((one) => one.key === at);
    return from < 0 ? found.at(-1) : found[from + by];
  }

  async function older() {
    const to = next(-1);
    if (to) return go(to);
    if (!earlier || reading || words.trim() === "") return;
    setReading(true);
    setWantsOlder(true);
    const came = await readEarlier();
    setWantsOlder(came);
    setReading(false);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was read changes where to go on
  useEffect(() => {
    if (!wantsOlder || reading) return;
    const to = next(-1);
    if (to) {
      setWantsOlder(false);
      go(to);
    } else if (earlier) void older();
    else setWantsOlder(false);
  }, [wantsOlder, reading, rows]);

  function onKeyDown(event: KeyboardEvent) {
    if (composes(event.nativeEvent)) return;
    if (event.key === "Escape") onClose();
    else if (event.key !== "Enter") return;
    else if (event.shiftKey) go(next(1));
    else void older();
    event.preventDefault();
  }

  return (
    <search data-find-bar className="sticky top-0 z-20 block h-0">
      <div className="absolute top-0 right-0 flex max-w-full items-center gap-1 rounded-lg border border-line-strong bg-raised p-1 pl-2 shadow-raised focus-within:border-accent">
        <input
          ref={input}
          aria-label="Find in this session"
          data-testid="find"
          placeholder="Find in this session"
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setAt(null);
            setWantsOlder(false);
          }}
          onKeyDown={onKeyDown}
          className="h-7 w-44 min-w-0 bg-transparent text-sm outline-none"
        />
        <span role="status" className="min-w-16 text-right text-2xs text-faint tabular-nums">
          {words.trim() !== "" && statusWords(place, shown.length, earlier, reading)}
        </span>
        <Button
          kind="quiet"
          size="icon"
          aria-label="Older"
          title="Older (Enter)"
          onClick={() => void older()}
        >
          <ChevronUp size={15} aria-hidden />
        </Button>
        <Button
          kind="quiet"
          size="icon"
          aria-label="Newer"
          title="Newer (Shift Enter)"
          disabled={place < 0 || place + 1 >= shown.length}
          onClick={() => go(next(1))}
        >
          <ChevronDown size={15} aria-hidden />
        </Button>
        <Button kind="quiet" size="icon" aria-label="Close the search" title="Close" onClick={onClose}>
          <X size={15} aria-hidden />
        </Button>
      </div>
    </search>
  );
}

function statusWords(place: number, count: number, earlier: boolean, reading: boolean): string {
  if (reading) return "reading …";
  const all = `${count.toLocaleString()}${earlier ? "+" : ""}`;
  if (place >= 0) return `${(place + 1).toLocaleString()} of ${all}`;
  return count === 0 && !earlier ? "not there" : `${all} there`;
}

/** Marks the words as soon as their row is on the page. A call is opened where its line, which a narrow page cuts off, does not show them. */
function mark(row: string, block: number | null, words: string, frames = 0): void {
  const found = document.querySelector(`[data-row="${CSS.escape(row)}"]`);
  const element = block === null ? found : found?.querySelector<HTMLElement>(`[data-block-index="${block}"]`);
  const again = () => requestAnimationFrame(() => mark(row, block, words, frames + 1));
  if (!element) {
    if (frames < MOST_FRAMES) again();
    return;
  }
  const readable = rangeOf(element, words, (range) => isReadable(range, element));
  const closed = element.matches("[data-tool-name]") && element.querySelector(CLOSED);
  if (!readable && closed instanceof HTMLElement && frames < MOST_FRAMES) {
    closed.click();
    again();
    return;
  }
  element.scrollIntoView({ block: "center" });
  const range = readable ?? rangeOf(element, words);
  CSS.highlights?.delete(MARK);
  if (!range) return;
  CSS.highlights?.set(MARK, new Highlight(range));
  keepInView(range, SETTLING_FRAMES);
}

/** What is around it, and was opened for it, is measured for some frames and moves meanwhile. */
function keepInView(range: Range, frames: number): void {
  if (!range.startContainer.isConnected) return;
  for (let box = range.startContainer.parentElement; box; box = box.parentElement) {
    const { overflowY } = getComputedStyle(box);
    if (overflowY !== "auto" && overflowY !== "scroll") continue;
    const words = range.getBoundingClientRect();
    const edge = box.getBoundingClientRect();
    box.scrollTop += (words.top + words.bottom - edge.top - edge.bottom) / 2;
  }
  if (frames > 0) requestAnimationFrame(() => keepInView(range, frames - 1));
}
