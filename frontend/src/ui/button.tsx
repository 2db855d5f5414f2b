import type { ComponentProps } from "react";

const KINDS = {
  primary: "bg-accent text-accent-ink hover:brightness-110 border-transparent font-medium",
  plain: "bg-raised text-ink border-line-strong hover:bg-sunken",
  quiet: "bg-transparent text-soft border-transparent hover:bg-sunken hover:text-ink",
  danger: "bg-transparent text-bad border-line-strong hover:bg-bad-wash",
} as const;

const SIZES = {
  normal: "h-8 px-3 text-sm gap-1.5",
  small: "h-7 px-2 text-xs gap-1",
  icon: "size-8 justify-center",
} as const;

export interface ButtonProps extends ComponentProps<"button"> {
  kind?: keyof typeof KINDS;
  size?: keyof typeof SIZES;
  busy?: boolean;
}

export function Button({
  kind = "plain",
  size = "normal",
  busy = false,
  className = "",
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={`inline-flex shrink-0 items-center justify-center whitespace-nowrap rounded-md border transition-[background-color,filter] duration-100 disabled:opacity-50 ${KINDS[kind]} ${SIZES[size]} ${className}`}
    />
  );
}
