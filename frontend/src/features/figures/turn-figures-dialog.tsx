import { useQuery } from "@tanstack/react-query";
import { turnFiguresQuery } from "../../api/queries";
import type { RoundUsage, TurnAnalytics } from "../../protocol/messages.gen";
import { Dialog } from "../../ui/dialog";
import { Notice } from "../../ui/notice";
import { count, duration, money } from "../conversation/figures";
import { ACTIVITIES, transitions } from "./activities";
import { AsTable, Bars, Lanes, Numbers, Part, TimeShares } from "./plots";
import { TOKENS } from "./tokens";
import { ToolsTable } from "./tools-table";

/** What a turn went to. */
export function TurnFiguresDialog({ turnId, onClose }: { turnId: string; onClose(): void }) {
  const figures = useQuery(turnFiguresQuery(turnId));
  return (
    <Dialog title="Figures of a turn" size="page" onClose={onClose}>
      {figures.data ? (
        <TurnPlots figures={figures.data} />
      ) : figures.error ? (
        <Notice tone="bad">{figures.error.message}</Notice>
      ) : (
        <p className="text-sm text-faint">One moment …</p>
      )}
    </Dialog>
  );
}

function TurnPlots({ figures }: { figures: TurnAnalytics }) {
  const { turn, timeline, rounds, tools } = figures;
  const changes = transitions(timeline);
  return (
    <div data-testid="turn-figures" className="flex flex-col gap-6">
      <p className="truncate text-sm text-soft" dir="auto">
        {turn.prompt}
      </p>
      <Numbers
        items={[
          ["Time", duration(turn.millis)],
          ["Tokens in · out", `${count(turn.usage.inputTokens)} · ${count(turn.usage.outputTokens)}`],
          ["Rounds", String(turn.rounds)],
          [
            "Calls of tools",
            `${turn.toolCalls}${turn.toolFailures > 0 ? `, ${turn.toolFailures} failed` : ""}`,
          ],
          ["Changes of mode", String(turn.modeTransitions)],
          ["Thinking tokens", count(turn.usage.thinkingTokens)],
          ["Cost", turn.usage.cost == null ? "not known" : money(turn.usage.cost)],
          ["Model", turn.model],
        ]}
      />
      <Part title="Time by what was done">
        <TimeShares times={turn.times} />
      </Part>
      <Part title="What went on when">
        <Lanes timeline={timeline} millis={turn.millis} />
        {figures.cut && (
          <p className="text-2xs text-faint">Only the beginning is drawn: the turn changed too often.</p>
        )}
        <AsTable
          caption="What went on when"
          heads={["What", "From", "Took"]}
          rows={timeline.map((stretch) => ({
            id: String(stretch.fromMillis),
            cells: [
              `${ACTIVITIES[stretch.activity].words}${stretch.tool ? `: ${stretch.tool}` : ""}`,
              duration(stretch.fromMillis),
              duration(stretch.millis),
            ],
          }))}
        />
      </Part>
      <div className="grid gap-6 lg:grid-cols-2">
        <Rounds rounds={rounds} />
        {changes.length > 0 && (
          <Part title="From one to the other">
            <AsTable
              open
              caption="Changes from one activity to another"
              heads={["From", "To", "Times"]}
              rows={changes.map((change) => ({
                id: `${change.from} ${change.to}`,
                cells: [ACTIVITIES[change.from].words, ACTIVITIES[change.to].words, change.count],
              }))}
            />
          </Part>
        )}
      </div>
      <ToolsTable tools={tools} />
    </div>
  );
}

function Rounds({ rounds }: { rounds: readonly RoundUsage[] }) {
  return (
    <Part title="Tokens by round" about="each response of the model, and what it was told for it">
      {rounds.length === 0 ? (
        <p className="text-xs text-faint">
          The provider told none, or the turn is from before they were kept.
        </p>
      ) : (
        <>
          <Bars
            label="Tokens by round"
            series={TOKENS}
            say={count}
            bars={rounds.map((round) => ({
              name: `Round ${round.round}`,
              values: [round.inputTokens, round.outputTokens],
            }))}
          />
          <AsTable
            caption="Tokens by round"
            heads={["Round", "In", "Out", "of them thinking"]}
            rows={rounds.map((round) => ({
              id: String(round.round),
              cells: [
                round.round,
                round.inputTokens.toLocaleString(),
                round.outputTokens.toLocaleString(),
                round.thinkingTokens.toLocaleString(),
              ],
            }))}
          />
        </>
      )}
    </Part>
  );
}
