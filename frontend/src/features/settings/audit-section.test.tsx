import { QueryClient } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { usersQuery } from "../../api/queries";
import type { AuditView } from "../../protocol/messages.gen";
import { one, onPage } from "../../ui/on-page";
import { AuditSection } from "./audit-section";

const ADA = "56782f4a-1a72-4d9b-8679-d5adcd9dc213";
const SESSION = "2f6a9a52-6f1b-4d43-9d7d-6a1f6c1d2e77";
const DRONE = "8d0f3c1e-2f0a-4f2b-9f6e-0d6c6a1b7f10";
const GONE = "0f6b2f6e-4e0b-4b8c-9d5a-6a7c1f2b3d44";

function entry(part: Partial<AuditView>): AuditView {
  return { id: "e1", at: "2026-11-20T10:00:00Z", kind: "process_stopped", userId: ADA, ...part };
}

it("an entry is told by names, with the ids in their titles; what is gone keeps its id", async () => {
  const items = [
    entry({
      subject: SESSION,
      detail: `process p1 on drone ${DRONE}`,
      names: { [ADA]: "ada@example.org", [SESSION]: "Mend the till", [DRONE]: "Anvil" },
    }),
    entry({ id: "e2", kind: "provider_deleted", subject: GONE, names: { [ADA]: "ada@example.org" } }),
  ];
  vi.stubGlobal("fetch", async () => Response.json({ items, next: null }));
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  client.setQueryData(usersQuery.queryKey, []);
  const page = onPage(<AuditSection />, client);
  await vi.waitFor(() => expect(page.place.querySelectorAll('[data-testid="audit-entry"]')).toHaveLength(2));

  const [stopped, deleted] = page.place.querySelectorAll<HTMLElement>('[data-testid="audit-entry"]');
  if (!stopped || !deleted) throw new Error("no entries");
  expect(stopped.textContent).toContain("ada@example.org");
  expect(stopped.textContent).toContain("process p1 on drone Anvil · Mend the till");
  expect(one(stopped, `[title="${SESSION}"]`).textContent).toBe("Mend the till");
  expect(stopped.textContent).not.toContain(DRONE);
  expect(deleted.textContent).toContain(GONE);
  page.leave();
});
