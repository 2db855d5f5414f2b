import { QueryClient } from "@tanstack/react-query";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import type { SubmitTurn } from "../../protocol/messages.gen";
import { button, click, onPage } from "../../ui/on-page";
import { useSubmitPrompt } from "./submit-prompt";
import type { Submitting } from "./submitting";

const submitting = { begin() {}, accepted() {}, failed() {} } as unknown as Submitting;

function Send({ draft }: { draft: boolean }) {
  const { mutate, status } = useSubmitPrompt("s1", submitting, { draft });
  return (
    <button type="button" onClick={() => mutate("Greet me.")}>
      Send {status}
    </button>
  );
}

let keys: string[];

beforeEach(() => {
  localStorage.clear();
  keys = [];
});

function refusing(status: number, field?: string) {
  vi.stubGlobal("fetch", async (_: string, { headers, body }: RequestInit) => {
    expect((JSON.parse(String(body)) as SubmitTurn).prompt).toBe("Greet me.");
    keys.push(new Headers(headers).get("idempotency-key") ?? "");
    return Response.json(
      { status, code: "invalid_field", detail: "no", field },
      {
        status,
        headers: { "content-type": "application/problem+json" },
      },
    );
  });
}

async function sendTwice(draft: boolean): Promise<void> {
  const { place, leave } = onPage(<Send draft={draft} />, new QueryClient());
  for (const sent of [1, 2]) {
    await click(button(place, sent === 1 ? "Send idle" : "Send error"));
    await act(() =>
      vi.waitFor(() => {
        expect(keys).toHaveLength(sent);
        expect(place.textContent).toBe("Send error");
      }),
    );
  }
  leave();
}

it.each([true, false])(
  "sends a prompt whose key stands for other words with another key (draft: %s)",
  async (draft) => {
    refusing(422, "Idempotency-Key");
    await sendTwice(draft);
    expect(keys[0]).toMatch(/^[0-9a-f]{24}$/);
    expect(keys[1]).toMatch(/^[0-9a-f]{24}$/);
    expect(keys[1]).not.toBe(keys[0]);
  },
);

it.each([true, false])(
  "sends a prompt that was refused otherwise with the same key (draft: %s)",
  async (draft) => {
    refusing(409);
    await sendTwice(draft);
    expect(keys[1]).toBe(keys[0]);
  },
);
