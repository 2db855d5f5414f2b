// Plots of rectangles only: they are drawn in a space of their own and stretched to the place that there is; words stand beside.
import { Fragment, type ReactNode } from "react";
import type { ActivityTimes, Stretch } from "../../protocol/messages.gen";
import { duration } from "../conversation/figures";
import { ACTIVITIES, ACTIVITY_NAMES, percents, scaleTop } from "./activities";

const WIDTH = 1_000;
/** What is shorter is still seen. */
const THINNEST = 2;
const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

export function Part({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <h3 className="text-sm font-medium">
        {title}
        {about && <span className="ml-2 text-xs font-normal text-faint">{about}</span>}
      </h3>
      {children}
    </section>
  );
}

export function Numbers({ items }: { items: readonly (readonly [string, string])[] }) {
  return (
    <div className="@container">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 rounded-lg border bg-ground px-4 py-3 @lg:grid-cols-4">
        {items.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-2xs text-faint">{name}</dt>
            <dd className="text-md font-medium tabular-nums [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Where the time went, as one bar, and in words. */
export function TimeShares({ times }: { times: ActivityTimes }) {
  const shares = percents(ACTIVITY_NAMES.map((name) => times[name]));
  let from = 0;
  const total = ACTIVITY_NAMES.reduce((sum, name) => sum + times[name], 0) || 1;
  return (
    <>
      <svg
        viewBox={`0 0 ${WIDTH} 10`}
        preserveAspectRatio="none"
        aria-hidden
        className="h-4 w-full overflow-hidden rounded"
      >
        {ACTIVITY_NAMES.map((name) => {
          const width = (times[name] * WIDTH) / total;
          const x = from;
          from += width;
          return <rect key={name} x={x} y={0} width={width} height={10} className={ACTIVITIES[name].fill} />;
        })}
      </svg>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs" data-testid="time-shares">
        {ACTIVITY_NAMES.map((name, index) => (
          <li key={name} className="flex items-center gap-1.5 tabular-nums">
            <Swatch className={ACTIVITIES[name].swatch} />
            {ACTIVITIES[name].words}
            <span className="text-faint">
              {duration(times[name])} · {shares[index]}%
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Swatch({ className }: { className: string }) {
  return <span aria-hidden className={`size-2.5 shrink-0 rounded-xs ${className}`} />;
}

/** What went on when: a lane for each kind. */
export function Lanes({ timeline, millis }: { timeline: readonly Stretch[]; millis: number }) {
  const whole = Math.max(1, millis);
  return (
    <div
      role="img"
      aria-label={`What went on when, over ${duration(millis)}; the table below says the same`}
      className="grid grid-cols-[minmax(0,9rem)_minmax(0,1fr)] items-center gap-x-3 gap-y-1 text-2xs text-faint max-sm:grid-cols-[minmax(0,5.5rem)_minmax(0,1fr)]"
    >
      {ACTIVITY_NAMES.map((name) => (
        <Fragment key={name}>
          <span className="truncate text-right">
            <span className="sm:hidden">{ACTIVITIES[name].short}</span>
            <span className="max-sm:hidden">{ACTIVITIES[name].words}</span>
          </span>
          <svg
            viewBox={`0 0 ${WIDTH} 10`}
            preserveAspectRatio="none"
            className="h-4 w-full rounded-xs bg-sunken"
            aria-hidden
          >
            {timeline
              .filter((stretch) => stretch.activity === name)
              .map((stretch) => (
                <rect
                  key={stretch.fromMillis}
                  x={Math.min((stretch.fromMillis * WIDTH) / whole, WIDTH - THINNEST)}
                  y={0}
                  width={Math.max(THINNEST, (stretch.millis * WIDTH) / whole)}
                  height={10}
                  className={ACTIVITIES[name].fill}
                >
                  <title>{`${stretch.tool ?? ACTIVITIES[name].words}: ${duration(stretch.millis)}, from ${duration(stretch.fromMillis)} on`}</title>
                </rect>
              ))}
          </svg>
        </Fragment>
      ))}
      <span />
      <span className="flex justify-between tabular-nums">
        {QUARTERS.map((share) => (
          <span key={share} className={share === 0.25 || share === 0.75 ? "max-sm:hidden" : ""}>
            {duration(share * millis)}
          </span>
        ))}
      </span>
    </div>
  );
}

export interface Series {
  words: string;
  fill: string;
  swatch: string;
}

/** Upright bars, each of several parts. */
export function Bars({
  label,
  series,
  bars,
  say,
}: {
  label: string;
  series: readonly Series[];
  bars: readonly { name: string; values: readonly number[] }[];
  say(value: number): string;
}) {
  const top = scaleTop(Math.max(0, ...bars.map((bar) => bar.values.reduce((a, b) => a + b, 0))));
  return (
    <div role="img" aria-label={`${label}; the table below says the same`} className="flex flex-col gap-1.5">
      <div className="flex gap-2">
        <span className="flex w-14 shrink-0 flex-col justify-between text-right text-2xs text-faint tabular-nums">
          <span>{say(top)}</span>
          <span>{say(top / 2)}</span>
          <span>0</span>
        </span>
        <svg
          viewBox={`0 0 ${Math.max(8, bars.length)} 100`}
          preserveAspectRatio="none"
          aria-hidden
          className="h-36 min-w-0 flex-1 border-b border-l bg-sunken"
        >
          {bars.map((bar, index) => {
            let height = 0;
            return (
              <g key={bar.name}>
                {bar.values.map((value, part) => {
                  const tall = (value * 100) / top;
                  height += tall;
                  const look = series[part] as Series;
                  return (
                    <rect
                      key={look.words}
                      x={index + 0.1}
                      y={100 - height}
                      width={0.8}
                      height={tall}
                      className={look.fill}
                    >
                      <title>{`${bar.name}, ${look.words}: ${say(value)}`}</title>
                    </rect>
                  );
                })}
              </g>
            );
          })}
        </svg>
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 pl-16 text-2xs text-faint">
        {series.map((one) => (
          <li key={one.words} className="flex items-center gap-1.5">
            <Swatch className={one.swatch} />
            {one.words}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The same as a plot in numbers, for who wants them or cannot see it. */
export function AsTable({
  caption,
  heads,
  rows,
  open = false,
}: {
  caption: string;
  heads: readonly string[];
  rows: readonly { id: string; cells: readonly ReactNode[] }[];
  /** Shown at once, because there is no plot. */
  open?: boolean;
}) {
  const table = (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
      tabIndex={0}
      className="thin-scroll max-h-72 overflow-auto rounded-md border"
    >
      <table className="w-full text-xs tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-side">
          <tr>
            {heads.map((head, index) => (
              <th
                key={head}
                scope="col"
                className={`px-2.5 py-1 font-medium text-soft ${index === 0 ? "text-left" : "text-right"}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className="border-t">
              {row.cells.map((cell, index) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other name than their column
                  key={index}
                  className={`px-2.5 py-1 ${index === 0 ? "max-w-60 truncate text-left" : "text-right whitespace-nowrap"}`}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
  return open ? (
    table
  ) : (
    <details>
      <summary className="mb-1 w-fit rounded px-1 text-2xs text-faint underline underline-offset-2 hover:text-ink">
        As a table
      </summary>
      {table}
    </details>
  );
}
