/** Keys as they stand on a keyboard. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className="inline-flex shrink-0 gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className="min-w-5 rounded border border-line-strong bg-side px-1 text-center font-sans text-2xs text-soft"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
