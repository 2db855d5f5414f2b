import { useQuery } from "@tanstack/react-query";
import { messageOf, ProblemError } from "../api/http";
import { meQuery } from "../api/queries";
import { useSignIn } from "../api/sign-in";
import { ConnectionProvider } from "../connection/provider";
import { SignInPage } from "../features/sign-in/sign-in-page";
import { Button } from "../ui/button";
import { Logo } from "../ui/logo";
import { Shell } from "./shell";

/** The sign-in at any address, until somebody is known; then the page that the address names. */
export function Root() {
  const { signedIn } = useSignIn();
  const me = useQuery({ ...meQuery, enabled: signedIn });

  if (!signedIn || (me.error instanceof ProblemError && me.error.status === 401)) return <SignInPage />;
  if (me.data) {
    return (
      <ConnectionProvider>
        <Shell me={me.data} />
      </ConnectionProvider>
    );
  }
  return (
    <main className="grid min-h-full place-items-center p-4" aria-live="polite">
      <div className="flex max-w-sm flex-col items-center gap-4 text-center">
        <Logo size={40} />
        {me.error ? (
          <>
            <p className="text-soft">{messageOf(me.error)}</p>
            <Button onClick={() => void me.refetch()} busy={me.isFetching}>
              Try again
            </Button>
          </>
        ) : (
          <p className="text-sm text-faint">Opening …</p>
        )}
      </div>
    </main>
  );
}
