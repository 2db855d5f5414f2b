import { useEffect, useState } from "react";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { Dialog } from "../../ui/dialog";

/** A link in a text that a model wrote. */
const LINK = ".prose a[href]";
const MIDDLE_BUTTON = 1;

/** Asks before a link of a model's is followed: its address may tell somebody what was read here. */
export function LinkGuard() {
  const [href, setHref] = useState<string | null>(null);
  useEffect(() => {
    const ask = (event: MouseEvent) => {
      if (event.button > MIDDLE_BUTTON) return;
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(LINK) : null;
      if (!link) return;
      event.preventDefault();
      setHref(link.href);
    };
    const stop = new AbortController();
    for (const kind of ["click", "auxclick"] as const)
      document.addEventListener(kind, ask, { signal: stop.signal });
    return () => stop.abort();
  }, []);
  return href !== null && <LinkDialog href={href} onClose={() => setHref(null)} />;
}

function LinkDialog({ href, onClose }: { href: string; onClose(): void }) {
  const host = URL.canParse(href) ? new URL(href).host : "";
  return (
    <Dialog title="Open this link?" onClose={onClose}>
      <div className="flex flex-col gap-3 text-sm" data-testid="link-dialog">
        <p>
          {host ? (
            <>
              It leads to <span className="font-mono font-medium [overflow-wrap:anywhere]">{host}</span>.
            </>
          ) : (
            "It begins a mail."
          )}{" "}
          The model wrote it, and whoever answers there learns what stands in the address.
        </p>
        <p className="thin-scroll max-h-40 overflow-y-auto rounded-md bg-side px-2.5 py-2 font-mono text-xs break-all">
          {href}
        </p>
        <div className="flex flex-wrap items-center justify-end gap-2">
          <CopyButton text={href} label="Copy the address" className="mr-auto" />
          <Button onClick={onClose}>Cancel</Button>
          <a
            href={href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            onClick={onClose}
            className="rounded-md bg-accent px-3 py-1.5 text-sm font-medium text-accent-ink"
          >
            Open
          </a>
        </div>
      </div>
    </Dialog>
  );
}
