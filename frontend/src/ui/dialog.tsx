import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { PlainText } from "./plain-text";
import { useReturnFocus } from "./return-focus";

const SIZES = { normal: "max-w-md", page: "max-w-[min(96vw,90rem)]" } as const;

/** A modal dialog of the browser's own: focus begins in its form and stays inside, Escape closes it. */
export function Dialog({
  title,
  onClose,
  children,
  size = "normal",
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** `page`: as much as there is, for what is compared side by side. */
  size?: "normal" | "page";
}) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useReturnFocus();
  useEffect(() => {
    const dialog = box.current;
    if (!dialog || dialog.open) return;
    dialog.showModal();
    // The browser's choice would be the button that closes it.
    dialog.querySelector<HTMLElement>("form :is(input, select, textarea):enabled")?.focus();
  }, []);
  return (
    <dialog
      ref={box}
      aria-labelledby={id}
      onClose={onClose}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className={`m-auto max-h-[min(90dvh,52rem)] w-[calc(100%-1.5rem)] overflow-y-auto rounded-xl border bg-raised p-0 text-ink shadow-dialog open:animate-rise ${SIZES[size]}`}
    >
      <div className="flex items-center justify-between gap-3 px-5 pt-4 pb-1">
        <h2 id={id} className="min-w-0 text-lg font-semibold tracking-tight [overflow-wrap:anywhere]">
          <PlainText text={title} />
        </h2>
        <button
          type="button"
          aria-label="Close"
          onClick={onClose}
          className="-mr-1.5 rounded-md p-1.5 text-faint hover:bg-sunken hover:text-ink"
        >
          <X size={16} aria-hidden />
        </button>
      </div>
      <div className="px-5 pt-2 pb-5">{children}</div>
    </dialog>
  );
}
