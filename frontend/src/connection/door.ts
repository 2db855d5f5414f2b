// The three ways by which a page hears of its turns.
import type { IdeEventUnion, TurnChangeUnion } from "../protocol/messages.gen";

export type DoorName = "websocket" | "sse" | "polling";
export type DoorChoice = "auto" | DoorName;
export type ConnectionState = "connecting" | "catching_up" | "live" | "offline";

/** What a door tells the page. */
export interface DoorEvents {
  state(state: ConnectionState): void;
  news(event: Exclude<IdeEventUnion, { type: "turn_changed" }>): void;
  changes(turnId: string, changes: readonly TurnChangeUnion[], cursor: string | undefined): void;
  /** Where to go on with this turn. */
  cursorOf(turnId: string): string | undefined;
  unfinished(): string[];
  /** Nothing follows for now. */
  ended(turnId: string): boolean;
  /** Nothing follows ever. */
  over(turnId: string): boolean;
  /** Something may have changed that this door is not told of: lists are to be read again. */
  lookAround(): Promise<string | undefined>;
  /** The service answers, but not through this door. */
  blocked(door: DoorName): void;
  signedOut(): void;
}

/** One open door. */
export interface Door {
  readonly name: DoorName;
  /** Follows this session from now on, and no other. */
  show(sessionId: string | undefined): void;
  /** Follows this turn of the session, from the cursor that the page has, or from the start. */
  follow(turnId: string): void;
  /** Tries again now, because the network is said to be back. */
  hurry(): void;
  close(): void;
}

const KEY = "gadget.door";

export function storedChoice(): DoorChoice {
  try {
    const value = localStorage.getItem(KEY);
    return value === "websocket" || value === "sse" || value === "polling" ? value : "auto";
  } catch {
    return "auto";
  }
}

export function storeChoice(choice: DoorChoice): void {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // Kept for this page only.
  }
}

const FOUND = "gadget.door.found";

/** The door that this tab came to when others were stopped; null while the first one is tried. */
export function foundDoor(): DoorName | null {
  try {
    const value = sessionStorage.getItem(FOUND);
    return value === "sse" || value === "polling" ? value : null;
  } catch {
    return null;
  }
}

export function storeFoundDoor(door: DoorName | null): void {
  try {
    if (door) sessionStorage.setItem(FOUND, door);
    else sessionStorage.removeItem(FOUND);
  } catch {
    // It is found again.
  }
}
