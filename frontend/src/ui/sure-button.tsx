import { type ReactNode, useId, useState } from "react";
import { Button, type ButtonProps } from "./button";

/** For what cannot be taken back: the first click asks, the second acts. */
export function SureButton({
  ask,
  about,
  onSure,
  children,
  ...button
}: Omit<ButtonProps, "onClick" | "onBlur" | "onKeyDown"> & {
  /** What the second click does; without it the first does it. */
  ask: string | undefined;
  /** What that means, beside the button. */
  about?: ReactNode;
  onSure(): void;
}) {
  const [clicked, setClicked] = useState(false);
  const sure = clicked && ask !== undefined;
  const id = useId();
  const asked = { kind: "danger", size: button.size === "icon" ? "small" : button.size } as const;
  return (
    <>
      <Button
        {...button}
        {...(sure && { ...asked, "aria-label": undefined, "aria-describedby": about ? id : undefined })}
        // The second of a double click, and a key that is held, are no answer.
        onClick={(event) => {
          if (event.detail > 1) return;
          setClicked(!sure);
          if (sure || ask === undefined) onSure();
        }}
        onKeyDown={(event) => {
          if (event.repeat && event.key === "Enter") event.preventDefault();
        }}
        onBlur={() => setClicked(false)}
      >
        {sure ? ask : children}
      </Button>
      {sure && about && (
        <p id={id} className="w-full text-xs text-soft" role="status">
          {about}
        </p>
      )}
    </>
  );
}
