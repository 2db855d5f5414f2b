import { Check, CircleDashed, CircleDot } from "lucide-react";
import type { Tool } from "../../protocol/messages.gen";

const ITEM = /^[-*]?\s*\[([ xX>])\]\s+(.*)$/;

const STATES = {
  " ": { word: "to do", Icon: CircleDashed, tone: "text-faint", text: "text-soft" },
  ">": { word: "doing now", Icon: CircleDot, tone: "text-accent", text: "text-ink font-medium" },
  x: { word: "done", Icon: Check, tone: "text-good", text: "text-faint line-through" },
} as const;

/** What the agent means to do, and how far it is. */
export function TodoList({ block, items }: { block: Tool; items: string }) {
  const rows = items.split("\n").flatMap((line) => {
    const match = ITEM.exec(line.trim());
    return match
      ? [{ state: (match[1] ?? " ").toLowerCase() as keyof typeof STATES, text: match[2] ?? "" }]
      : [];
  });
  return (
    <section
      data-testid="block-tool"
      data-block-index={block.index}
      data-tool-name="update_todos"
      data-state={block.content.state}
      aria-label="What is to be done"
      className="rounded-lg border bg-raised px-3 py-2"
    >
      <ul className="flex flex-col gap-1 text-sm">
        {rows.map((row, index) => {
          const { word, Icon, tone, text } = STATES[row.state];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is shown as a whole
            <li key={index} className="flex items-start gap-2">
              <Icon size={14} aria-label={word} className={`mt-0.5 shrink-0 ${tone}`} />
              <span className={`min-w-0 [overflow-wrap:anywhere] ${text}`} dir="auto">
                {row.text}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
