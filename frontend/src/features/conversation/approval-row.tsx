import { type FormEvent, useId, useRef } from "react";
import type { ApprovalDecision, ToolCall } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { composes } from "../../ui/composing";
import { PlainText } from "../../ui/plain-text";
import { useFocusBack } from "../../ui/return-focus";
import { unseenIn } from "../../ui/unseen";
import { DiffView } from "../changes/diff-view";
import { Answered, NotDecided, useAnswer, useDecide } from "./answered";
import { answerOf, type Rewording, useRewording } from "./draft";

const DECIDED: Record<ApprovalDecision, string> = {
  approve: "You approved this",
  approve_for_session: "You approved this for the session",
  deny: "You denied this",
};

/** Asks the person, or says what the person answered while the drone has not told of it. */
export function ApprovalRow({ turnId, tool }: { turnId: string; tool: ToolCall }) {
  const { decided, answered } = useAnswer(tool);
  return decided ? (
    <div className="border-t px-3 py-2.5">
      <Preview tool={tool} />
      <Answered words={DECIDED[decided]} />
    </div>
  ) : (
    <Question turnId={turnId} tool={tool} onAnswered={answered} />
  );
}

/** What is shown is exactly what will run, and the answer counts for nothing else. */
function Question({
  turnId,
  tool,
  onAnswered,
}: {
  turnId: string;
  tool: ToolCall;
  onAnswered(decision: ApprovalDecision): void;
}) {
  const command = tool.parameters.command;
  const patterns = tool.approval?.patterns ?? [];
  const reason = useRewording(answerOf(turnId, tool.callId, "reason"), "");
  const other = useRewording(
    answerOf(turnId, tool.callId, "command"),
    typeof command === "string" ? command : "",
  );
  const answer = reason.words !== null ? "deny" : other.words !== null ? "edit" : "ask";
  const box = useRef<HTMLDivElement>(null);
  useFocusBack(box, answer === "ask" ? null : answer);
  const decide = useDecide(turnId, tool, box, (decision) => {
    reason.end();
    other.end();
    onAnswered(decision);
  });
  return (
    <div ref={box} className="border-t border-warn bg-warn-wash px-3 py-2.5">
      <Preview tool={tool} />
      <p className="text-sm text-warn" role="alert">
        <PlainText text={tool.approval?.reason || "This call waits for you."} /> What stands above is exactly
        what will run.
      </p>
      {answer === "ask" && (
        <div className="mt-2 flex flex-wrap gap-2">
          <Button
            kind="primary"
            busy={decide.isPending}
            onClick={() => decide.mutate({ decision: "approve" })}
          >
            Approve
          </Button>
          <Button
            busy={decide.isPending}
            title={
              typeof command === "string"
                ? "This very command is not asked about again in this session"
                : `${tool.name} is not asked about again in this session`
            }
            onClick={() => decide.mutate({ decision: "approve_for_session" })}
          >
            Approve for this session
          </Button>
          {patterns.length > 0 && (
            <Button
              busy={decide.isPending}
              className="h-auto! min-h-8 max-w-full py-1 text-left whitespace-normal! [overflow-wrap:anywhere]"
              title="Added to the rules of this session, where it can be taken out again, which counts from the next turn on"
              onClick={() => decide.mutate({ decision: "approve_for_session", patterns })}
            >
              <span className="min-w-0">
                Always in this session:{" "}
                {patterns.map((pattern, index) => (
                  <span key={pattern}>
                    {index > 0 && ", "}
                    <code dir="ltr" className="font-mono text-xs">
                      <PlainText text={pattern} />
                    </code>
                  </span>
                ))}
              </span>
            </Button>
          )}
          {typeof command === "string" && (
            <Button data-opens="edit" busy={decide.isPending} onClick={other.begin}>
              Change it …
            </Button>
          )}
          <Button kind="danger" data-opens="deny" busy={decide.isPending} onClick={reason.begin}>
            Deny …
          </Button>
        </div>
      )}
      {answer === "deny" && (
        <TextAnswer
          words={reason}
          label="Why not? The model is told (may stay empty)."
          action="Deny"
          busy={decide.isPending}
          onSend={(why) => decide.mutate({ decision: "deny", ...(why ? { reason: why } : {}) })}
        />
      )}
      {answer === "edit" && typeof command === "string" && (
        <TextAnswer
          words={other}
          label="The command that runs instead"
          action="Approve as changed"
          mono
          busy={decide.isPending}
          onSend={(changed) =>
            decide.mutate({ decision: "approve", parameters: { ...tool.parameters, command: changed } })
          }
        />
      )}
      <NotDecided error={decide.error} />
    </div>
  );
}

function Preview({ tool }: { tool: ToolCall }) {
  return (
    tool.approval?.preview && (
      <div className="mb-2 text-ink">
        <DiffView diff={tool.approval.preview} label="What it would change" />
      </div>
    )
  );
}

function TextAnswer({
  words,
  label,
  action,
  mono = false,
  busy,
  onSend,
}: {
  words: Rewording;
  label: string;
  action: string;
  mono?: boolean;
  busy: boolean;
  onSend(text: string): void;
}) {
  const id = useId();
  const text = words.words ?? "";
  function submit(event: FormEvent) {
    event.preventDefault();
    onSend(text.trim());
  }
  return (
    <form onSubmit={submit} className="mt-2 flex flex-col gap-2">
      <label htmlFor={id} className="text-xs text-soft">
        {label}
      </label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: it opens because the person asked for it
        autoFocus={words.asked}
        rows={2}
        value={text}
        onChange={(event) => words.type(event.target.value)}
        onKeyDown={(event) => {
          if (composes(event.nativeEvent)) return;
          if (event.key === "Escape") words.end();
          if (event.key === "Enter" && !event.shiftKey) submit(event);
        }}
        className={`thin-scroll field-sizing-content max-h-[40dvh] w-full rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-ink ${mono ? "font-mono text-xs" : "text-sm"}`}
      />
      {mono && unseenIn(text).length > 0 && (
        <p className="text-xs text-bad">
          It holds characters that are not seen: {unseenIn(text).join(", ")}.
        </p>
      )}
      <div className="flex gap-2">
        <Button kind="primary" type="submit" busy={busy}>
          {action}
        </Button>
        <Button onClick={words.end}>Back</Button>
      </div>
    </form>
  );
}
