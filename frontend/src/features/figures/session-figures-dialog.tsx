import { useQuery } from "@tanstack/react-query";
import { sessionFiguresQuery } from "../../api/queries";
import { useLookBack } from "../../app/look-back";
import type { SessionAnalytics, TurnFigures } from "../../protocol/messages.gen";
import { Dialog } from "../../ui/dialog";
import { Notice } from "../../ui/notice";
import { count, duration, money } from "../conversation/figures";
import { ACTIVITIES, ACTIVITY_NAMES, totalOf } from "./activities";
import { AsTable, Bars, Numbers, Part, TimeShares } from "./plots";
import { TOKENS } from "./tokens";
import { ToolsTable } from "./tools-table";

/** What a session went to, turn by turn. */
export function SessionFiguresDialog({ sessionId, onClose }: { sessionId: string; onClose(): void }) {
  const figures = useQuery(sessionFiguresQuery(sessionId));
  return (
    <Dialog title="Figures of a session" size="page" onClose={onClose}>
      {!figures.data ? (
        figures.error ? (
          <Notice tone="bad">{figures.error.message}</Notice>
        ) : (
          <p className="text-sm text-faint">One moment …</p>
        )
      ) : figures.data.turns.length === 0 ? (
        <p className="text-sm text-faint">There is no turn yet.</p>
      ) : (
        <SessionPlots figures={figures.data} />
      )}
    </Dialog>
  );
}

function SessionPlots({ figures }: { figures: SessionAnalytics }) {
  const { turns, leftOut, times, usage, tools } = figures;
  const sum = (of: (turn: TurnFigures) => number) => turns.reduce((all, turn) => all + of(turn), 0);
  const failures = sum((turn) => turn.toolFailures);
  const names = turns.map((_, index) => `Turn ${leftOut + index + 1}`);
  return (
    <div data-testid="session-figures" className="flex flex-col gap-6">
      {leftOut > 0 && (
        <Notice>
          The latest {turns.length} turns are counted; {leftOut} older ones are not.
        </Notice>
      )}
      <Numbers
        items={[
          ["Turns", String(turns.length)],
          ["Time", duration(totalOf(times))],
          ["Tokens in · out", `${count(usage.inputTokens)} · ${count(usage.outputTokens)}`],
          ["Cost", usage.cost == null ? "not known" : money(usage.cost)],
          ["Rounds", String(sum((turn) => turn.rounds))],
          ["Calls of tools", `${sum((turn) => turn.toolCalls)}${failures > 0 ? `, ${failures} failed` : ""}`],
          ["Changes of mode", String(sum((turn) => turn.modeTransitions))],
          ["Thinking tokens", count(usage.thinkingTokens)],
        ]}
      />
      <Part title="Time by what was done">
        <TimeShares times={times} />
      </Part>
      <div className="grid gap-6 lg:grid-cols-2">
        <Part title="Time by turn">
          <Bars
            label="Time by turn"
            series={ACTIVITY_NAMES.map((name) => ACTIVITIES[name])}
            say={duration}
            bars={turns.map((turn, index) => ({
              name: names[index] as string,
              values: ACTIVITY_NAMES.map((name) => turn.times[name]),
            }))}
          />
        </Part>
        <Part title="Tokens by turn">
          <Bars
            label="Tokens by turn"
            series={TOKENS}
            say={count}
            bars={turns.map((turn, index) => ({
              name: names[index] as string,
              values: [turn.usage.inputTokens, turn.usage.outputTokens],
            }))}
          />
        </Part>
      </div>
      <Turns turns={turns} names={names} />
      <ToolsTable tools={tools} />
    </div>
  );
}

function Turns({ turns, names }: { turns: readonly TurnFigures[]; names: readonly string[] }) {
  const show = useLookBack((lookBack) => lookBack.show);
  return (
    <Part title="Turns">
      <AsTable
        open
        caption="Time and tokens by turn"
        heads={["Turn", ...ACTIVITY_NAMES.map((name) => ACTIVITIES[name].short), "All", "In", "Out", "Calls"]}
        rows={turns.map((turn, index) => ({
          id: turn.turnId,
          cells: [
            <button
              key="turn"
              type="button"
              onClick={() => show({ what: "turn-figures", turnId: turn.turnId })}
              className="max-w-full truncate text-accent underline underline-offset-2"
              dir="auto"
            >
              {names[index]}: {turn.prompt}
            </button>,
            ...ACTIVITY_NAMES.map((name) => duration(turn.times[name])),
            duration(turn.millis),
            count(turn.usage.inputTokens),
            count(turn.usage.outputTokens),
            turn.toolCalls,
          ],
        }))}
      />
    </Part>
  );
}
