import { type FormEvent, useId, useRef } from "react";
import type { ApprovalDecision, ToolCall } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { composes } from "../../ui/composing";
import { PlainText } from "../../ui/plain-text";
import { Answered, NotDecided, useAnswer, useDecide } from "./answered";
import { answerOf, useDraft } from "./draft";

/** The tool by which a model asks the person. */
export const QUESTION = "ask_person";

/** What a question offers to choose from. */
export function choicesOf(parameters: Record<string, unknown>): string[] {
  if (typeof parameters.choices !== "string") return [];
  return [...new Set(parameters.choices.split("\n").map((line) => line.trim()))].filter(Boolean);
}

/** A question of the model's, or that the person answered it while the drone has not told of it. */
export function QuestionRow({ turnId, tool }: { turnId: string; tool: ToolCall }) {
  const { decided, answered } = useAnswer(tool);
  return decided ? (
    <div className="flex flex-col gap-2 border-t px-3 py-2.5">
      <Words tool={tool} />
      <Answered words="You answered this" />
    </div>
  ) : (
    <Question turnId={turnId} tool={tool} onAnswered={answered} />
  );
}

function Words({ tool, role }: { tool: ToolCall; role?: "alert" }) {
  return (
    <p
      dir="auto"
      role={role}
      className="thin-scroll max-h-[40dvh] overflow-auto text-sm whitespace-pre-wrap [overflow-wrap:anywhere]"
    >
      <PlainText text={String(tool.parameters.question ?? "The model asks you.")} />
    </p>
  );
}

/** Its choices as buttons, and a line for any other answer. It is no permission. */
function Question({
  turnId,
  tool,
  onAnswered,
}: {
  turnId: string;
  tool: ToolCall;
  onAnswered(decision: ApprovalDecision): void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const [words, setWords] = useDraft(answerOf(turnId, tool.callId, "answer"));
  const decide = useDecide(turnId, tool, box, (decision) => {
    setWords("");
    onAnswered(decision);
  });
  const answer = (text: string) =>
    decide.mutate({ decision: "approve", parameters: { ...tool.parameters, answer: text } });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (words.trim() && !decide.isPending) answer(words.trim());
  }
  return (
    <div ref={box} className="border-t border-accent bg-accent-wash px-3 py-2.5">
      <Words tool={tool} role="alert" />
      {choicesOf(tool.parameters).length > 0 && (
        <div className="mt-2 flex flex-wrap gap-2">
          {choicesOf(tool.parameters).map((choice) => (
            <Button
              key={choice}
              busy={decide.isPending}
              className="h-auto! min-h-8 max-w-full py-1 text-left whitespace-normal! [overflow-wrap:anywhere]"
              onClick={() => answer(choice)}
            >
              <span dir="auto" className="min-w-0">
                <PlainText text={choice} />
              </span>
            </Button>
          ))}
        </div>
      )}
      <form onSubmit={submit} className="mt-2 flex flex-col gap-2">
        <label htmlFor={id} className="text-xs text-soft">
          {choicesOf(tool.parameters).length > 0 ? "Or answer in your own words" : "Your answer"}
        </label>
        <textarea
          id={id}
          rows={1}
          maxLength={20_000}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={(event) => {
            if (composes(event.nativeEvent)) return;
            if (event.key === "Enter" && !event.shiftKey) submit(event);
          }}
          className="thin-scroll field-sizing-content max-h-[40dvh] w-full rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-sm text-ink"
        />
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" type="submit" busy={decide.isPending} disabled={!words.trim()}>
            Answer
          </Button>
          <Button busy={decide.isPending} onClick={() => decide.mutate({ decision: "deny" })}>
            No answer
          </Button>
        </div>
      </form>
      <NotDecided error={decide.error} />
    </div>
  );
}
