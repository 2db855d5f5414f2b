import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useShallow } from "zustand/react/shallow";
import { profilesQuery } from "../../api/queries";
import { useConnection } from "../../connection/connection";
import type { SessionDetail } from "../../protocol/messages.gen";
import { Notice } from "../../ui/notice";
import { conversation } from "../conversation/conversation";
import { contextTokens, contextUse, summaryFailure } from "./usage";

/** How full the model's context is after its latest round. */
export function ContextMeter({ session }: { session: SessionDetail }) {
  // Of the turns nothing but this: text that streams in draws nothing anew here.
  const { tokens, empty, failure } = useConnection(
    useShallow(({ turns }) => {
      const all = conversation(session.id, session.turns, turns).map(({ turn }) => turn);
      return { tokens: contextTokens(all), empty: all.length === 0, failure: summaryFailure(all) };
    }),
  );
  const profiles = useQuery(profilesQuery(session.providerId));
  const profile = profiles.data?.find((one) => one.model === session.model)?.profile;
  const room = profile?.contextTokens;
  return (
    <div data-testid="context-use" className="flex flex-col gap-1.5 text-sm">
      {room == null ? (
        <>
          <p className="tabular-nums">
            {tokens === undefined ? nothingCounted(empty) : `About ${tokens.toLocaleString("en")} tokens.`}
          </p>
          {profile?.contextAtLeast != null ? (
            <p className="text-xs text-faint">
              The model can hold {profile.contextAtLeast.toLocaleString("en")} tokens at least.
            </p>
          ) : (
            !profiles.isPending && (
              <p className="text-xs text-faint">
                How many this model can hold is not known. To find out,{" "}
                <Link
                  to="/settings/$section"
                  params={{ section: "providers" }}
                  className="text-accent underline underline-offset-2"
                >
                  test the model in Settings
                </Link>
                .
              </p>
            )
          )}
        </>
      ) : tokens === undefined ? (
        <>
          <p>{nothingCounted(empty)}</p>
          <p className="text-xs text-faint">The model can hold {room.toLocaleString("en")} tokens.</p>
        </>
      ) : (
        <Meter tokens={tokens} room={room} />
      )}
      {failure && (
        <Notice tone="warn">The conversation was not summarised, and stays as it was. {failure}</Notice>
      )}
    </div>
  );
}

function Meter({ tokens, room }: { tokens: number; room: number }) {
  const { percent, nearlyFull } = contextUse(tokens, room);
  const words = `About ${tokens.toLocaleString("en")} of ${room.toLocaleString("en")} tokens`;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: the browser's own meter takes no colours that are the same everywhere */}
      <div
        role="meter"
        aria-label="Context in use"
        aria-valuemin={0}
        aria-valuemax={room}
        aria-valuenow={Math.min(tokens, room)}
        aria-valuetext={`${words}, ${percent} %`}
        className="h-2.5 overflow-hidden rounded-full border border-line-strong bg-sunken"
      >
        <div className={`h-full ${nearlyFull ? "bg-warn" : "bg-accent"}`} style={{ width: `${percent}%` }} />
      </div>
      <p className="flex flex-wrap justify-between gap-x-3 tabular-nums">
        <span>{words}</span>
        <span className="text-faint">{percent} %</span>
      </p>
      {nearlyFull && (
        <Notice tone="warn">
          Nearly full. Send <code className="font-mono">/compact</code> to have the conversation summarised,
          and say behind it what to keep. Otherwise that happens by itself when no room is left.
        </Notice>
      )}
    </>
  );
}

function nothingCounted(empty: boolean): string {
  return empty
    ? "Empty: there is no prompt yet."
    : "Not known yet. The model’s next response tells it, where its endpoint counts tokens.";
}
