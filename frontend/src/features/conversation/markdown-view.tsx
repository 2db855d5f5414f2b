import { memo, useMemo, useRef } from "react";
import { CopyButton } from "../../ui/copy-button";
import { CodeText } from "./code-text";
import { type CutText, cut, EMPTY, htmlOf, type MarkdownBlock } from "./markdown";

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

interface Shown {
  block: MarkdownBlock;
  isOpen: boolean;
  isLast: boolean;
}

const BlockView = memo(
  function BlockView({ block, isOpen, isLast }: Shown) {
    const html = useMemo(() => (block.code ? "" : htmlOf(block.raw, isOpen)), [block, isOpen]);
    if (block.code) return <CodeFence {...block.code} growing={isOpen} />;
    if (!html) return null;
    return (
      <div
        className={`prose ${isLast ? "caret-after" : ""}`}
        dir="auto"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by htmlOf
        dangerouslySetInnerHTML={{ __html: html }}
      />
    );
  },
  (before, after) =>
    before.block.raw === after.block.raw && before.isOpen === after.isOpen && before.isLast === after.isLast,
);

function CodeFence({ language, text, growing }: { language: string; text: string; growing: boolean }) {
  return (
    <figure className="overflow-hidden rounded-lg border bg-side">
      <figcaption className="flex h-8 items-center justify-between border-b pr-1.5 pl-3 font-mono text-2xs text-faint">
        <span className="truncate">{language || "text"}</span>
        <CopyButton text={text} />
      </figcaption>
      <pre className="thin-scroll overflow-x-auto px-3 py-2.5 font-mono text-sm leading-[1.5]">
        <CodeText language={language} text={text} growing={growing} />
      </pre>
    </figure>
  );
}
