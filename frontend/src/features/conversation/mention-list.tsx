import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { File, Folder } from "lucide-react";
import { useEffect, useRef } from "react";
import { folderQuery, foundQuery } from "../../api/files";
import { messageOf } from "../../api/http";
import type { SessionDetail } from "../../protocol/messages.gen";
import { PlainText } from "../../ui/plain-text";
import { FINDS_FROM, type Mention, type Suggestion, suggestions, withFound } from "./mention";

/** What the workspace has for the mention that is being typed. */
export function useSuggestions(session: SessionDetail, mention: Mention | null) {
  const looks = mention !== null && !!session.workspaceId;
  const folder = useQuery({
    ...folderQuery(session.id, mention?.folder ?? "."),
    enabled: looks,
    retry: false,
  });
  const elsewhere = useQuery({
    ...foundQuery(session.id, mention?.folder ?? ".", mention?.query ?? ""),
    enabled: looks && mention.query.length >= FINDS_FROM,
    retry: false,
    // While the next letter is asked about, what was found fits as far as it has that, too.
    placeholderData: keepPreviousData,
  });
  const own = mention && folder.data ? suggestions(mention, folder.data.entries) : [];
  const more = mention && mention.query.length >= FINDS_FROM ? (elsewhere.data?.paths ?? []) : [];
  const found = mention ? withFound(own, mention, more) : [];
  const nothing = !session.workspaceId
    ? "The first prompt gives the session a workspace. Then its files can be named."
    : folder.error
      ? messageOf(folder.error)
      : folder.isPending || elsewhere.isFetching
        ? "Looking into the workspace …"
        : "No file is called so.";
  return { found, nothing };
}

/** The files to choose from, above the box in which one is being named. */
export function MentionList({
  id,
  found,
  active,
  nothing,
  onChoose,
}: {
  id: string;
  found: readonly Suggestion[];
  active: number;
  /** Why there is nothing to choose from. */
  nothing: string;
  onChoose(suggestion: Suggestion): void;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[id="${id}-${active}"]`)?.scrollIntoView({ block: "nearest" });
  }, [id, active]);
  return (
    <div className="absolute inset-x-0 bottom-full z-10 mb-1.5 overflow-hidden rounded-xl border bg-raised shadow-dialog">
      {found.length > 0 ? (
        <div
          ref={list}
          id={id}
          role="listbox"
          aria-label="Files of the workspace"
          data-testid="mentions"
          className="thin-scroll max-h-60 overflow-y-auto p-1"
        >
          {found.map((one, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the prompt box has the keys
            <div
              key={one.path}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              tabIndex={-1}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(one)}
              className={`flex h-8 cursor-pointer items-center gap-2 rounded-md px-2 text-sm hover:bg-sunken ${index === active ? "bg-sunken text-ink" : "text-soft"}`}
            >
              {one.isFolder ? (
                <Folder size={14} aria-hidden className="shrink-0 text-accent" />
              ) : (
                <File size={14} aria-hidden className="shrink-0 text-faint" />
              )}
              <bdi className="min-w-0 truncate">
                <PlainText text={one.name} />
              </bdi>
              {one.isFolder && <span className="text-faint">/</span>}
              {one.where && (
                <bdi className="min-w-0 flex-1 truncate text-xs text-faint">
                  <PlainText text={one.where} />
                </bdi>
              )}
            </div>
          ))}
        </div>
      ) : (
        <p role="status" className="px-3 py-2 text-xs text-faint [overflow-wrap:anywhere]">
          {nothing}
        </p>
      )}
    </div>
  );
}
