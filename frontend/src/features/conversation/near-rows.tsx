import type { ReactElement, Ref } from "react";
import { type CustomContainerComponentProps, Virtualizer } from "virtua";
import type { Follower } from "./scroll-follower";
import { useHeldRows } from "./use-held-rows";

/** What lies this far beyond the edges is there already when somebody scrolls. */
export const BEYOND_PIXELS = 600;

interface NearRowsProps<R> {
  rows: readonly R[];
  follower: Follower;
  /** As high as what stands above them in their scroll box. */
  abovePixels?: number;
  /** Near to each other. */
  dense?: boolean;
  children(row: R): ReactElement;
}

/** Rows of which only those near the view are on the page. */
export function NearRows<R extends { key: string }>({
  rows,
  follower: { box, onResize },
  abovePixels = 0,
  dense = false,
  children,
}: NearRowsProps<R>) {
  const held = useHeldRows(box, rows);
  return (
    <Virtualizer
      as={Container}
      data={rows}
      scrollRef={box}
      startMargin={abovePixels}
      bufferSize={BEYOND_PIXELS}
      keepMounted={held}
      onResize={onResize}
    >
      {(row: R) => (
        <div key={row.key} data-row={row.key} className={dense ? "pb-1.5" : "pb-3"}>
          {children(row)}
        </div>
      )}
    </Virtualizer>
  );
}

/** Without what turns the pointer off while it scrolls: that restyles all there is, and following scrolls with each word. */
export function Container({ style, ...rest }: CustomContainerComponentProps & { ref?: Ref<HTMLDivElement> }) {
  const { pointerEvents: _, ...kept } = style;
  return <div {...rest} style={kept} />;
}
