import { KEYS_NOTE, PLACES, SHORTCUTS } from "../../app/shortcuts";
import { Dialog } from "../../ui/dialog";
import { Keys } from "../../ui/keys";

/** All keys that do something. */
export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div data-testid="shortcuts" className="flex flex-col gap-5">
        <Group title="Everywhere" keys={SHORTCUTS} />
        {KEYS_NOTE && <p className="text-xs text-faint">{KEYS_NOTE}</p>}
        {PLACES.map((place) => (
          <Group key={place.title} {...place} />
        ))}
      </div>
    </Dialog>
  );
}

function Group({
  title,
  keys,
}: {
  title: string;
  keys: readonly { keys: readonly string[]; words: string }[];
}) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-xs font-medium text-faint">{title}</h3>
      <dl className="divide-y">
        {keys.map((one) => (
          <div key={one.words} className="flex items-center justify-between gap-4 py-1.5 text-sm">
            <dt className="min-w-0">{one.words}</dt>
            <dd>
              <Keys keys={one.keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
