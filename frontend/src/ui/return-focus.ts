import { useEffect } from "react";

/** When what had the focus goes away, the focus returns to where it was before. */
export function useReturnFocus(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      const nowhere = document.activeElement === null || document.activeElement === document.body;
      if (nowhere && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
}
