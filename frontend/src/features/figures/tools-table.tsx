import type { ToolFigures } from "../../protocol/messages.gen";
import { duration } from "../conversation/figures";
import { AsTable, Part } from "./plots";

const WIDTH = 100;

/** Which tools were called how often, and what they took. */
export function ToolsTable({ tools }: { tools: readonly ToolFigures[] }) {
  const longest = Math.max(1, ...tools.map((tool) => tool.millis));
  if (tools.length === 0) return null;
  return (
    <Part title="Tools" about="the time of each call by itself, also where several ran at once">
      <AsTable
        open
        caption="Calls of tools"
        heads={["Tool", "Calls", "Failed", "Denied", "Time", "Longest", "Share"]}
        rows={tools.map((tool) => ({
          id: tool.name,
          cells: [
            <span key="name" className="font-mono">
              {tool.name}
            </span>,
            tool.calls,
            <span key="failed" className={tool.failed > 0 ? "text-bad" : "text-faint"}>
              {tool.failed}
            </span>,
            <span key="denied" className={tool.denied > 0 ? "text-warn" : "text-faint"}>
              {tool.denied}
            </span>,
            duration(tool.millis),
            duration(tool.longestMillis),
            <svg
              key="share"
              viewBox={`0 0 ${WIDTH} 10`}
              preserveAspectRatio="none"
              aria-hidden
              className="ml-auto h-2.5 w-20 rounded-xs bg-sunken"
            >
              <rect
                x={0}
                y={0}
                width={(tool.millis * WIDTH) / longest}
                height={10}
                className="fill-plot-tool"
              />
            </svg>,
          ],
        }))}
      />
    </Part>
  );
}
