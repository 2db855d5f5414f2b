import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ProblemError } from "./http";
import { useSignIn } from "./sign-in";

const TRIES = 2;

/** One client for the page; an answer 401 from anywhere leads to the sign-in. */
export function makeQueryClient(): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ProblemError && error.status === 401) useSignIn.getState().left(true);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // The browser's word for being offline says nothing of a service on this machine or in this network.
      queries: {
        networkMode: "always",
        refetchOnReconnect: true,
        staleTime: 5_000,
        retry: (count, error) => error instanceof ProblemError && error.unreachable && count < TRIES,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}
