// The settings of the open session: which there are, and at which of them their dialog is open.
import { create } from "zustand";

export const SETTINGS = {
  model: "model",
  provider: "provider",
  effort: "reasoning effort",
  approvals: "what is asked before it is done",
  rules: "rules of approval",
  limits: "limits of a turn",
} as const;

export type SettingName = keyof typeof SETTINGS;

export const useSessionSettings = create<{
  /** Null while it is closed. */
  at: SettingName | "name" | null;
  open(at: SettingName | "name"): void;
  close(): void;
}>((set) => ({
  at: null,
  open: (at) => set({ at }),
  close: () => set({ at: null }),
}));

/** Puts the focus on a setting: on the field itself, or on what is chosen in a group. */
export function focusSetting(form: HTMLElement | null, name: string): void {
  const found = form?.querySelector<HTMLElement>(`[data-setting="${name}"]`);
  if (!found) return;
  const field = found.matches("input, select, textarea")
    ? found
    : (found.querySelector<HTMLElement>("input:checked") ?? found.querySelector<HTMLElement>("input"));
  field?.focus();
  field?.scrollIntoView({ block: "center" });
}
