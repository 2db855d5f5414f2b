import { memo, useMemo, useRef } from "react";
import { CopyButton } from "../../ui/copy-button";
import { type CutText, cut, EMPTY, htmlOf, type MarkdownBlock } from "./markdown";

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
      {parts.finished.map((block) => (
        <BlockView key={block.start} block={block} isOpen={false} isLast={false} />
      ))}
      {parts.open.map((block, index) => (
        <BlockView key={block.start} block={block} isOpen={growing} isLast={growing && index === 0} />
      ))}
    </div>
  );
});

interface Shown {
  block: MarkdownBlock;
  isOpen: boolean;
  isLast: boolean;
}

const BlockView = memo(
  function BlockView({ block, isOpen, isLast }: Shown) {
    const html = useMemo(() => (block.code ? "" : htmlOf(block.raw, isOpen)), [block, isOpen]);
    if (block.code) return <CodeFence language={block.code.language} text={block.code.text} />;
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

function CodeFence({ language, text }: { language: string; text: string }) {
  return (
    <figure className="overflow-hidden rounded-lg border bg-side">
      <figcaption className="flex h-8 items-center justify-between border-b pr-1.5 pl-3 font-mono text-2xs text-faint">
        <span className="truncate">{language || "text"}</span>
        <CopyButton text={text} />
      </figcaption>
      <pre className="thin-scroll overflow-x-auto px-3 py-2.5 font-mono text-sm leading-[1.5]">
        <code>{text}</code>
      </pre>
    </figure>
  );
}
