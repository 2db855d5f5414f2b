import { type Theme, useTheme } from "../../app/theme";
import { Select } from "../../ui/field";
import { useLabels } from "../conversation/block-label";
import { type Permission, useNotify } from "../notify/notifications";
import { SectionHead } from "./parts";

const PERMISSION_WORDS: Record<Permission, string> = {
  default: "Your browser will ask you once.",
  granted: "Only while this page is hidden, with the session's name; the page's title says it, too.",
  denied:
    "Your browser refuses notices of this page. Allow them in its settings for this site, and come back.",
  unsupported: "This browser has no notices, or only for pages served over TLS.",
};

/** What is kept in this browser and nowhere else. */
export function BrowserSection() {
  const { theme, choose } = useTheme();
  const { wanted, permission, turnOn, turnOff } = useNotify();
  const labels = useLabels();
  const possible = permission === "default" || permission === "granted";
  return (
    <>
      <SectionHead title="This browser" about="Kept here only: another browser of yours has its own." />
      <div className="flex flex-col gap-6">
        <label className="flex items-start gap-3 rounded-xl border bg-raised p-4">
          <input
            type="checkbox"
            data-testid="notify"
            className="mt-0.5 size-4 shrink-0 accent-accent"
            checked={wanted && permission === "granted"}
            disabled={!possible}
            aria-describedby="notify-note"
            onChange={(event) => (event.target.checked ? void turnOn() : turnOff())}
          />
          <span className="min-w-0">
            <span className="block text-sm font-medium">Tell me when a turn ends or asks</span>
            <span id="notify-note" className="block text-sm text-soft">
              {PERMISSION_WORDS[permission]}
            </span>
          </span>
        </label>
        <label className="flex items-start gap-3 rounded-xl border bg-raised p-4">
          <input
            type="checkbox"
            data-testid="labels"
            className="mt-0.5 size-4 shrink-0 accent-accent"
            checked={labels.shown}
            aria-describedby="labels-note"
            onChange={(event) => labels.choose(event.target.checked)}
          />
          <span className="min-w-0">
            <span className="block text-sm font-medium">Name each block of a conversation</span>
            <span id="labels-note" className="block text-sm text-soft">
              “Response” and “Tool call” stand above them, as “Thought” does anyway.
            </span>
          </span>
        </label>
        <div className="max-w-xs">
          <Select label="Colours" value={theme} onChange={(event) => choose(event.target.value as Theme)}>
            <option value="system">as the system has them</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
          </Select>
        </div>
      </div>
    </>
  );
}
