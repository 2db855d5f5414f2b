import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";

const BOX =
  "w-full rounded-md border border-line-strong bg-raised px-2.5 text-base text-ink outline-offset-0 aria-invalid:border-bad disabled:opacity-60";

interface Labelled {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

function Labels({ id, label, hint, error, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium text-ink">
        {label}
      </label>
      {children}
      {error ? (
        <p id={`${id}-note`} className="text-xs text-bad" role="alert">
          {error}
        </p>
      ) : (
        hint && (
          <div id={`${id}-note`} className="text-xs text-faint">
            {hint}
          </div>
        )
      )}
    </div>
  );
}

export function Field({ label, hint, error, ...input }: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const own = useId();
  const id = input.id ?? own;
  return (
    <Labels id={id} label={label} hint={hint} error={error}>
      <input
        {...input}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
        className={`${BOX} h-9 ${input.className ?? ""}`}
      />
    </Labels>
  );
}

export function TextArea({
  label,
  hint,
  error,
  ...area
}: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const own = useId();
  const id = area.id ?? own;
  return (
    <Labels id={id} label={label} hint={hint} error={error}>
      <textarea
        {...area}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
        className={`${BOX} py-1.5 font-mono text-xs`}
      />
    </Labels>
  );
}

export function Select({
  label,
  hint,
  error,
  ...select
}: Labelled & SelectHTMLAttributes<HTMLSelectElement>) {
  const own = useId();
  const id = select.id ?? own;
  return (
    <Labels id={id} label={label} hint={hint} error={error}>
      <select
        {...select}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
        className={`${BOX} h-9`}
      />
    </Labels>
  );
}

/** Something that is so or not. */
export function Check({
  label,
  hint,
  ...input
}: { label: string; hint?: string } & InputHTMLAttributes<HTMLInputElement>) {
  const own = useId();
  const id = input.id ?? own;
  return (
    <div className="flex items-start gap-2">
      <input
        {...input}
        id={id}
        type="checkbox"
        aria-describedby={hint ? `${id}-note` : undefined}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div>
        <label htmlFor={id} className="text-sm">
          {label}
        </label>
        {hint && (
          <p id={`${id}-note`} className="text-xs text-faint">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
