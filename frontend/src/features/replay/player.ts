import { useEffect, useEffectEvent, useState } from "react";

export const SPEEDS = [1, 8] as const;
export type Speed = (typeof SPEEDS)[number];

/** Smooth enough, and leaves the page time for other things. */
const FRAME_MILLIS = 40;
/** Where things shall not move, what is shown changes in steps this long. */
const STEP_MILLIS = 1_000;

const still = window.matchMedia("(prefers-reduced-motion: reduce)");

export interface Player {
  at: number;
  playing: boolean;
  speed: Speed;
  toggle(): void;
  /** Goes to a place; it plays on from there when it plays. */
  seek(at: number): void;
  choose(speed: Speed): void;
}

/** Moves through a time of this length; it begins by itself, but not for whom things shall not move. */
export function usePlayer(length: number): Player {
  const [at, setAt] = useState(0);
  const [playing, setPlaying] = useState(() => !still.matches);
  const [speed, setSpeed] = useState<Speed>(1);

  const advance = useEffectEvent((millis: number) => {
    const next = Math.min(length, at + millis * speed);
    setAt(next);
    if (next >= length) setPlaying(false);
  });

  useEffect(() => {
    if (!playing) return;
    let last = performance.now();
    const every = still.matches ? STEP_MILLIS : FRAME_MILLIS;
    const timer = setInterval(() => {
      const now = performance.now();
      // A page that was asleep does not jump.
      advance(Math.min(now - last, 2 * STEP_MILLIS));
      last = now;
    }, every);
    return () => clearInterval(timer);
  }, [playing]);

  return {
    at: Math.min(at, length),
    playing,
    speed,
    toggle: () => {
      if (!playing && at >= length) setAt(0);
      setPlaying(!playing);
    },
    seek: (to) => setAt(Math.max(0, Math.min(length, to))),
    choose: setSpeed,
  };
}
