import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "../../api/http";
import { readAgain, tokensQuery } from "../../api/queries";
import type { CreatedToken, CreateToken } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { DeleteButton, DialogActions, day, ItemList, SectionHead } from "./parts";

export function TokensSection() {
  const tokens = useQuery(tokensQuery);
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedToken | null>(null);
  return (
    <>
      <SectionHead
        title="Access tokens"
        about="For scripts and CI: sent as Authorization: Bearer. A token can do what you can."
        action={
          <Button kind="primary" onClick={() => setMaking(true)}>
            Make a token
          </Button>
        }
      />
      {made && (
        <div className="mb-6 rounded-xl border border-accent bg-accent-wash p-4">
          <p className="text-sm font-medium">“{made.name}” is shown this once. Keep it somewhere safe.</p>
          <div className="mt-2 flex items-center gap-2 rounded-lg border bg-raised px-3 py-2">
            <code className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere]">{made.token}</code>
            <CopyButton text={made.token} />
          </div>
        </div>
      )}
      <ItemList query={tokens} empty="No tokens. The page itself needs none.">
        {(token) => (
          <>
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium" dir="auto">
                {token.name}
              </p>
              <p className="text-xs text-faint">
                {[
                  `Since ${day(token.createdAt)}`,
                  token.expiresAt ? `until ${day(token.expiresAt)}` : "without an end",
                  token.lastUsedAt ? `last used ${day(token.lastUsedAt)}` : "never used",
                ].join(" · ")}
              </p>
            </div>
            <DeleteButton path={`/tokens/${token.id}`} list="tokens" word="Revoke" />
          </>
        )}
      </ItemList>
      {making && <TokenDialog onClose={() => setMaking(false)} onMade={setMade} />}
    </>
  );
}

function TokenDialog({ onClose, onMade }: { onClose(): void; onMade(token: CreatedToken): void }) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [days, setDays] = useState("90");
  const make = useMutation({
    mutationFn: () => {
      const body: CreateToken = { name: name.trim(), ...(days ? { expiresInDays: Number(days) } : {}) };
      return call<CreatedToken>("/tokens", { method: "POST", body });
    },
    onSuccess: async (token) => {
      onMade(token);
      await readAgain(client, "tokens");
      onClose();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    make.mutate();
  }
  return (
    <Dialog title="Make a token" onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="What for"
          required
          maxLength={100}
          placeholder="Nightly job"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label="Ends after this many days"
          type="number"
          min={1}
          max={3650}
          value={days}
          hint="Empty: it has no end."
          onChange={(event) => setDays(event.target.value)}
        />
        {make.error && <Notice tone="bad">{make.error.message}</Notice>}
        <DialogActions busy={make.isPending} onClose={onClose} word="Make" />
      </form>
    </Dialog>
  );
}
