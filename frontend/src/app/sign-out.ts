import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { endSignIn } from "../api/sign-in";

/** Ends the person's session in this browser, and forgets what was read. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await endSignIn();
    client.clear();
    await navigate({ to: "/" });
  };
}
