import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call, messageOf } from "../../api/http";
import { endSignIn, useSignIn } from "../../api/sign-in";
import type { LoginRequest } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { Logo } from "../../ui/logo";
import { Notice } from "../../ui/notice";

export function SignInPage() {
  const client = useQueryClient();
  const { entered, expired, leaving } = useSignIn();
  const again = useMutation({ mutationFn: endSignIn });
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setFailure("");
    try {
      const body: LoginRequest = { email: email.trim(), password };
      await call("/auth/login", { method: "POST", body });
      setPassword("");
      client.clear();
      entered();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <main className="grid min-h-full place-items-center bg-side p-4">
      <form
        onSubmit={submit}
        className="w-full max-w-88 animate-rise rounded-xl border bg-raised p-6 shadow-raised sm:p-8"
        aria-label="Sign in"
      >
        <div className="mb-6 flex items-center gap-3">
          <Logo size={34} />
          <div>
            <h1 className="text-lg font-semibold leading-6 tracking-tight">Gadget</h1>
            <p className="text-sm text-soft">Sign in to your agents.</p>
          </div>
        </div>
        <div className="flex flex-col gap-4">
          {leaving && (
            <Notice
              tone="bad"
              action={
                <Button size="small" busy={again.isPending} onClick={() => again.mutate()}>
                  Try again
                </Button>
              }
            >
              You signed out, but the code service could not be told: this browser is still signed in there.
            </Notice>
          )}
          {expired && !failure && (
            <Notice tone="warn">
              Your sign-in has ended. Your prompts and the text of files are kept, and a dialog’s rules,
              limits or prices for when you open it again.
            </Notice>
          )}
          {failure && <Notice tone="bad">{failure}</Notice>}
          <Field
            label="Email"
            type="email"
            autoComplete="username"
            data-testid="login-email"
            required
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <Field
            label="Password"
            type="password"
            autoComplete="current-password"
            data-testid="login-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <Button kind="primary" type="submit" busy={busy} data-testid="login-submit" className="h-9">
            {busy ? "Signing in …" : "Sign in"}
          </Button>
        </div>
        <p className="mt-5 text-xs text-faint">
          No account? An administrator makes one. The first administrator’s password stands in the code
          service’s output of its first start.
        </p>
      </form>
    </main>
  );
}
