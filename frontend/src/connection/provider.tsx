import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useState } from "react";
import { Connection } from "./connection";

const Context = createContext<Connection | null>(null);

/** Keeps one connection open while what is inside is shown. */
export function ConnectionProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [connection, setConnection] = useState<Connection | null>(null);
  useEffect(() => {
    const opened = new Connection(client);
    setConnection(opened);
    return () => opened.stop();
  }, [client]);
  return <Context value={connection}>{children}</Context>;
}

/** The connection; null for the moment before it is made. */
export function useOpenConnection(): Connection | null {
  return use(Context);
}
