import type { LucideIcon } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";

export interface MenuItem {
  words: string;
  Icon: LucideIcon;
  run(): void;
}

const WIDTH = 208;
const GAP = 4;

/** A button that opens a list of things to do; arrow keys go through it, Escape and a click beside it close it. */
export function MenuButton({
  label,
  items,
  className,
  children,
}: {
  label: string;
  items: readonly MenuItem[];
  className: string;
  children: ReactNode;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  // The press of a click on the button has closed the menu already when the click itself comes.
  const openAtPress = useRef(false);
  const id = useId();
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onPointerDown={() => {
          openAtPress.current = open;
        }}
        onClick={() => {
          setOpen(!open && !openAtPress.current);
          openAtPress.current = false;
        }}
        className={className}
      >
        {children}
      </button>
      {open && button.current && (
        <Menu id={id} label={label} button={button.current} items={items} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

function Menu({
  id,
  label,
  button,
  items,
  onClose,
}: {
  id: string;
  label: string;
  button: HTMLElement;
  items: readonly MenuItem[];
  onClose(): void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const closed = useEffectEvent(onClose);

  useEffect(() => {
    const menu = list.current;
    if (!menu) return;
    menu.showPopover();
    const { left, right, bottom, top } = button.getBoundingClientRect();
    const below = bottom + GAP + menu.offsetHeight <= window.innerHeight;
    menu.style.top = `${below ? bottom + GAP : Math.max(GAP, top - GAP - menu.offsetHeight)}px`;
    menu.style.left = `${Math.max(GAP, Math.min(right - WIDTH, left))}px`;
    menu.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    // Its own keys and clicks beside it close a popover; the page has to hear of it.
    const toggled = (event: Event) => (event as ToggleEvent).newState === "closed" && closed();
    menu.addEventListener("toggle", toggled);
    return () => menu.removeEventListener("toggle", toggled);
  }, [button]);

  function onKeyDown(event: KeyboardEvent) {
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const at = entries.indexOf(document.activeElement as HTMLElement);
    const places: Record<string, number> = {
      ArrowDown: (at + 1) % entries.length,
      ArrowUp: (at - 1 + entries.length) % entries.length,
      Home: 0,
      End: entries.length - 1,
    };
    const place = places[event.key];
    if (place !== undefined) {
      event.preventDefault();
      entries[place]?.focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      event.stopPropagation();
      onClose();
      button.focus();
    }
  }

  return (
    <div
      ref={list}
      id={id}
      popover="auto"
      role="menu"
      aria-label={label}
      onKeyDown={onKeyDown}
      style={{ width: WIDTH }}
      className="fixed inset-auto m-0 rounded-lg border bg-raised p-1 text-ink shadow-dialog"
    >
      {items.map(({ words, Icon, run }) => (
        <button
          key={words}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            onClose();
            button.focus();
            run();
          }}
          className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-sunken focus-visible:bg-sunken focus-visible:outline-none"
        >
          <Icon size={14} aria-hidden className="shrink-0 text-faint" />
          {words}
        </button>
      ))}
    </div>
  );
}
