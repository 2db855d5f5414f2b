import { Link, Outlet, useParams } from "@tanstack/react-router";
import { type ComponentType, useEffect, useRef } from "react";
import { NotFoundPage } from "../../app/not-found-page";
import { PageHeader } from "../../app/page-header";
import { useMe } from "../../app/shell-context";
import { AuditSection } from "./audit-section";
import { BrowserSection } from "./browser-section";
import { DronesSection } from "./drones-section";
import { ProjectsSection } from "./projects-section";
import { ProvidersSection } from "./providers-section";
import { SECTIONS } from "./sections";
import { SystemSection } from "./system-section";
import { TokensSection } from "./tokens-section";
import { UsersSection } from "./users-section";

const CONTENT: Record<keyof typeof SECTIONS, ComponentType> = {
  providers: ProvidersSection,
  drones: DronesSection,
  projects: ProjectsSection,
  tokens: TokensSection,
  browser: BrowserSection,
  users: UsersSection,
  audit: AuditSection,
  system: SystemSection,
};

export function SettingsPage() {
  const me = useMe();
  const nav = useRef<HTMLElement>(null);
  const section = useParams({ strict: false }).section;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another section is another place in the row
  useEffect(() => {
    // On a narrow screen the row of names is wider than the page; those beside it show that there are more.
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [section]);
  return (
    <>
      <PageHeader>
        <h1 className="truncate text-sm font-medium">Settings</h1>
      </PageHeader>
      <nav
        ref={nav}
        aria-label="Settings"
        className="thin-scroll shrink-0 overflow-x-auto border-b px-2 sm:px-4"
      >
        <ul className="mx-auto flex max-w-3xl gap-1">
          {Object.entries(SECTIONS)
            .filter(([, { adminOnly }]) => !adminOnly || me.role === "admin")
            .map(([section, { name }]) => (
              <li key={section}>
                <Link
                  to="/settings/$section"
                  params={{ section }}
                  className="block whitespace-nowrap border-b-2 border-transparent px-2.5 py-2.5 text-sm text-soft hover:text-ink focus-visible:-outline-offset-2"
                  activeProps={{ className: "!border-accent !text-ink font-medium" }}
                >
                  {name}
                </Link>
              </li>
            ))}
        </ul>
      </nav>
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
        tabIndex={0}
        className="thin-scroll min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      >
        <div className="mx-auto max-w-3xl px-4 py-8 sm:px-6">
          <Outlet />
        </div>
      </div>
    </>
  );
}

export function SettingsSection() {
  const { section } = useParams({ from: "/settings/$section" });
  const me = useMe();
  const known = SECTIONS[section as keyof typeof SECTIONS];
  if (!known || (known.adminOnly && me.role !== "admin")) return <NotFoundPage />;
  const Section = CONTENT[section as keyof typeof SECTIONS];
  return <Section />;
}
