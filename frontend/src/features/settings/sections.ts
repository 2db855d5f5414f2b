// The parts of the settings, in their order; also what the palette offers.
export interface SectionName {
  name: string;
  adminOnly: boolean;
}

export const SECTIONS = {
  providers: { name: "Providers", adminOnly: false },
  drones: { name: "Drones", adminOnly: false },
  projects: { name: "Projects", adminOnly: false },
  tokens: { name: "Access tokens", adminOnly: false },
  browser: { name: "This browser", adminOnly: false },
  users: { name: "Users", adminOnly: true },
  audit: { name: "Audit log", adminOnly: true },
  system: { name: "System", adminOnly: true },
} as const satisfies Record<string, SectionName>;
