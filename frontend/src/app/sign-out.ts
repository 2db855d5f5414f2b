import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../api/http";
import { useSignIn } from "../api/sign-in";

/** Ends the person's session in this browser, and forgets what was read. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const left = useSignIn((signIn) => signIn.left);
  return async () => {
    await call("/auth/logout", { method: "POST" }).catch(() => undefined);
    left(false);
    client.clear();
    await navigate({ to: "/" });
  };
}
