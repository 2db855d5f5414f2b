import { memo, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { CopyButton } from "../../ui/copy-button";
import { CodeText } from "./code-text";
import { type Code, type CutText, codeWithin, cut, EMPTY, htmlOf, type MarkdownBlock } from "./markdown";

/** So many finished blocks are looked at as one: a long text costs no more with each word than a short one. */
const GROUP = 32;

/** A model's Markdown. While it grows only its last block is rendered again. */
export const MarkdownView = memo(function MarkdownView({
  text,
  growing,
}: {
  text: string;
  growing: boolean;
}) {
  const before = useRef<CutText>(EMPTY);
  const parts = useMemo(() => {
    before.current = cut(text, before.current);
    return before.current;
  }, [text]);
  return (
    <div className="flex flex-col gap-[0.8em]">
      {grouped(parts.finished).map((blocks, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what is finished stays where it is
        <FinishedBlocks key={index} blocks={blocks} />
      ))}
      {parts.open.map((block, index) => (
        <BlockView key={block.start} block={block} isOpen={growing} isLast={growing && index === 0} />
      ))}
    </div>
  );
});

function grouped(finished: MarkdownBlock[]): MarkdownBlock[][] {
  const groups = Math.ceil(finished.length / GROUP);
  return Array.from({ length: groups }, (_, index) => finished.slice(index * GROUP, (index + 1) * GROUP));
}

/** Contained, so that the browser does not walk through all of it with each word below; the inset keeps outlines from being cut. */
const FinishedBlocks = memo(
  function FinishedBlocks({ blocks }: { blocks: MarkdownBlock[] }) {
    return (
      <div className="-mx-1 flex flex-col gap-[0.8em] px-1 contain-content">
        {blocks.map((block) => (
          <BlockView key={block.start} block={block} isOpen={false} isLast={false} />
        ))}
      </div>
    );
  },
  (before, after) =>
    before.blocks.length === after.blocks.length &&
    before.blocks.every((block, index) => block === after.blocks[index]),
);

const NO_CODE: readonly Code[] = [];

interface Place {
  place: Element;
  code: Code;
}

/** Where in a block its code stands, made free for it. */
function usePlaces(box: RefObject<HTMLElement | null>, within: readonly Code[]): readonly Place[] {
  const [places, setPlaces] = useState<readonly Place[]>([]);
  useLayoutEffect(() => {
    const found = [...(box.current?.querySelectorAll(".fence") ?? [])];
    if (within.length === 0 || found.length !== within.length) {
      setPlaces((before) => (before.length === 0 ? before : []));
      return;
    }
    for (const place of found) place.replaceChildren();
    setPlaces(found.map((place, index) => ({ place, code: within[index] as Code })));
  }, [box, within]);
  return places;
}

interface Shown {
  block: MarkdownBlock;
  isOpen: boolean;
  isLast: boolean;
}

const BlockView = memo(
  function BlockView({ block, isOpen, isLast }: Shown) {
    const html = useMemo(() => (block.code ? "" : htmlOf(block.raw, isOpen)), [block, isOpen]);
    // While it grows it is plain: its elements are others with each word.
    const within = useMemo(
      () => (!isOpen && html.includes('<div class="fence">') ? codeWithin(block.raw) : NO_CODE),
      [block, isOpen, html],
    );
    const box = useRef<HTMLDivElement>(null);
    const places = usePlaces(box, within);
    if (block.code) return <CodeFence {...block.code} growing={isOpen} isLast={isLast} />;
    if (!html) return isLast ? <NotYet /> : null;
    return (
      <>
        <div
          // What was made free for code is whole again when the turn goes on after all.
          key={within.length > 0 ? "code" : "plain"}
          ref={box}
          className={`prose ${isLast ? "caret-after" : ""}`}
          dir="auto"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by htmlOf
          dangerouslySetInnerHTML={{ __html: html }}
        />
        {places.map(({ place, code }) =>
          createPortal(<CodeFence {...code} growing={false} isLast={false} />, place),
        )}
      </>
    );
  },
  (before, after) =>
    before.block.raw === after.block.raw && before.isOpen === after.isOpen && before.isLast === after.isLast,
);

/** What comes cannot be shown before there is more of it. */
function NotYet() {
  return (
    <div className="prose caret-after">
      <p />
    </div>
  );
}

function CodeFence({ language, text, growing, isLast }: Code & { growing: boolean; isLast: boolean }) {
  return (
    <figure dir="ltr" className="overflow-hidden rounded-lg border bg-side">
      <figcaption className="flex h-8 items-center justify-between border-b pr-1.5 pl-3 font-mono text-2xs text-faint">
        <span className="truncate">{language || "text"}</span>
        <CopyButton text={text} />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
        tabIndex={0}
        className={`thin-scroll overflow-x-auto px-3 py-2.5 font-mono text-sm leading-[1.5] focus-visible:-outline-offset-2 ${isLast ? "caret-after" : ""}`}
      >
        <CodeText language={language} text={text} growing={growing} />
      </pre>
    </figure>
  );
}
