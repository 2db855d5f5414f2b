// What was typed into a dialog when the sign-in ended by itself: the page goes away then, and comes back after the next sign-in.
import { use, useEffect, useRef, useState } from "react";
import { useSignIn } from "../api/sign-in";
import { MeContext } from "./shell-context";

const kept = new Map<string, unknown>();

/** As useState; when the sign-in ends, whoever signs in again has the value when the dialog is opened again. Never for keys. */
export function useKept<T>(name: string, first: T): [T, (value: T) => void] {
  const key = `${use(MeContext)?.id}/${name}`;
  const [value, setValue] = useState(() => (kept.has(key) ? (kept.get(key) as T) : first));
  const latest = useRef(value);
  latest.current = value;
  useEffect(() => {
    kept.delete(key);
    return () => {
      if (useSignIn.getState().expired) kept.set(key, latest.current);
    };
  }, [key]);
  return [value, setValue];
}
