import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { auditQuery, usersQuery } from "../../api/queries";
import type { AuditView } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { Select } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { AUDIT_WORDS } from "./audit-words";
import { SectionHead } from "./parts";

const REFUSALS: ReadonlySet<AuditView["kind"]> = new Set(["sign_in_refused", "enrolment_refused"]);

/** Who did what, for administrators. */
export function AuditSection() {
  const [kind, setKind] = useState("");
  const [userId, setUserId] = useState("");
  const users = useQuery(usersQuery);
  const audit = useInfiniteQuery(auditQuery(kind, userId));
  const entries = audit.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <SectionHead
        title="Audit log"
        about="Who did what, the latest first. Entries are only added; they go when they are old. Keys, passwords, prompts and commands are not in it."
        action={
          <Button onClick={() => void audit.refetch()} busy={audit.isFetching}>
            Read again
          </Button>
        }
      />
      <div className="mb-4 grid gap-3 sm:grid-cols-2">
        <Select label="What" value={kind} onChange={(event) => setKind(event.target.value)}>
          <option value="">Everything</option>
          {Object.entries(AUDIT_WORDS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
        <Select label="Who" value={userId} onChange={(event) => setUserId(event.target.value)}>
          <option value="">Everybody</option>
          {users.data?.map((user) => (
            <option key={user.id} value={user.id}>
              {user.name} ({user.email})
            </option>
          ))}
        </Select>
      </div>
      {audit.error && <Notice tone="bad">{audit.error.message}</Notice>}
      {audit.isPending ? (
        <p className="text-sm text-faint">One moment …</p>
      ) : (
        <ol data-testid="audit" className="divide-y rounded-xl border bg-raised empty:hidden">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {audit.data && entries.length === 0 && <p className="text-sm text-faint">There is no such entry.</p>}
      {audit.hasNextPage && (
        <div className="mt-3 flex justify-center">
          <Button onClick={() => void audit.fetchNextPage()} busy={audit.isFetchingNextPage}>
            Show older ones
          </Button>
        </div>
      )}
    </>
  );
}

function Entry({ entry }: { entry: AuditView }) {
  const { detail, subject } = entry;
  const refused = REFUSALS.has(entry.kind);
  const unknown = refused ? "nobody who is known" : "the service, by its settings";
  const who = entry.userId ? <Named text={entry.userId} entry={entry} /> : unknown;
  return (
    <li
      data-testid="audit-entry"
      data-kind={entry.kind}
      className="grid gap-x-4 px-4 py-2.5 text-sm sm:grid-cols-[11.5rem_minmax(0,1fr)]"
    >
      <time dateTime={entry.at} className="text-xs leading-5 text-faint tabular-nums">
        {new Date(entry.at).toLocaleString([], { dateStyle: "medium", timeStyle: "medium" })}
      </time>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p>
          <span className={`font-medium ${refused ? "text-warn" : ""}`}>{AUDIT_WORDS[entry.kind]}</span>{" "}
          <span className="text-soft" dir="auto">
            {refused && entry.userId && "as "}
            {who}
          </span>
          {entry.address && <span className="text-faint"> from {entry.address}</span>}
        </p>
        {(detail || subject) && (
          <p className="text-xs text-faint">
            {detail && (
              <bdi>
                <Named text={detail} entry={entry} />
              </bdi>
            )}
            {detail && subject && " · "}
            {subject && <Named text={subject} entry={entry} />}
          </p>
        )}
      </div>
    </li>
  );
}

const ID = /(\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b)/i;

/** A text with the names in place of the ids that are known still; the id stays in the title. */
function Named({ text, entry }: { text: string; entry: AuditView }) {
  return text.split(ID).map((part, at) => {
    const name = entry.names?.[part];
    // The parts of a text that does not change.
    const key = at;
    if (name)
      return (
        <bdi key={key} title={part} data-testid="audit-name" className="text-soft">
          {name}
        </bdi>
      );
    return ID.test(part) ? (
      <span key={key} className="font-mono text-2xs">
        {part}
      </span>
    ) : (
      <span key={key}>{part}</span>
    );
  });
}
