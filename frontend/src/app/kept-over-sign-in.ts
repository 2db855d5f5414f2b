// What was typed into a dialog when the sign-in ended by itself: the page goes away then, and comes back after the next sign-in.
import { use, useEffect, useRef, useState } from "react";
import { useSignIn } from "../api/sign-in";
import { MeContext } from "./shell-context";

const kept = new Map<string, unknown>();

/** As useState; when the sign-in ends, whoever signs in again has the value when the dialog is opened again. Never for keys. */
export function useKeptOverSignIn<T>(name: string, first: T): [T, (value: T) => void] {
  const key = `${use(MeContext)?.id}/${name}`;
  const [start] = useState(() => ({
    again: kept.has(key),
    value: kept.has(key) ? (kept.get(key) as T) : first,
  }));
  const [value, setValue] = useState(start.value);
  const latest = useRef(value);
  latest.current = value;
  useEffect(() => {
    kept.delete(key);
    return () => {
      // What nobody typed would take the place of what is there by then.
      const typed = start.again || latest.current !== start.value;
      if (typed && useSignIn.getState().expired) kept.set(key, latest.current);
    };
  }, [key, start]);
  return [value, setValue];
}
