import { expect, it, vi } from "vitest";
import { call, ProblemError } from "./http";

const answered = (answer: (signal: AbortSignal) => Response) =>
  vi.stubGlobal("fetch", async (_: string, { signal }: RequestInit) => answer(signal as AbortSignal));

async function failure(): Promise<ProblemError> {
  const error = await call("/me").catch((problem: unknown) => problem);
  expect(error).toBeInstanceOf(ProblemError);
  return error as ProblemError;
}

it("says in words that an answer broke off, or came from something else than the service", async () => {
  answered(
    () => new Response(new ReadableStream({ pull: (to) => to.error(new TypeError("network error")) })),
  );
  expect((await failure()).unreachable).toBe(true);
  answered(() => new Response("<h1>Sign in to the hotel's network</h1>"));
  expect((await failure()).message).toContain("does not answer");
});

it("lets a long answer take its time once it has begun", async () => {
  answered(
    (signal) =>
      new Response(
        new ReadableStream<Uint8Array>({
          start(to) {
            signal.addEventListener("abort", () => to.error(signal.reason));
            setTimeout(() => {
              if (signal.aborted) return;
              to.enqueue(new TextEncoder().encode('{"id":"u1"}'));
              to.close();
            }, 50);
          },
        }),
      ),
  );
  expect(await call("/me", { patienceMillis: 1, wholeMillis: 1_000 })).toEqual({ id: "u1" });
});

it("is not patient for ever with a service that does not begin", async () => {
  vi.stubGlobal(
    "fetch",
    (_: string, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  await expect(call("/me", { patienceMillis: 1 })).rejects.toMatchObject({ code: "unreachable" });
});

it("passes on that nobody waits any more", async () => {
  const nobody = new AbortController();
  answered(() => {
    nobody.abort();
    return new Response(new ReadableStream({ pull: (to) => to.error(nobody.signal.reason) }));
  });
  await expect(call("/me", { signal: nobody.signal })).rejects.toMatchObject({ name: "AbortError" });
});
