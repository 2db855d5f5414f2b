// What the page's build steps have in common: its sources, its packages, running a tool of theirs.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const NEEDED_NODE = 20;
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const FOLDERS = ["src", "public"];
const FILES = [
  "index.html",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "biome.json",
  "vite.config.ts",
];

export function fail(message) {
  console.error(`frontend: ${message}`);
  process.exit(1);
}

function filesBelow(path) {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(path, entry.name)) : [join(path, entry.name)],
    );
}

function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files.filter(existsSync)) {
    hash.update(file.slice(root.length)).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

/** Runs the steps, unless they went well before with the same inputs; `also` names further folders that count. */
export function unlessUnchanged(name, { also = [], still = () => true, more = "" }, steps) {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < NEEDED_NODE) fail(`needs Node ${NEEDED_NODE} or newer, but this is ${process.version}.`);
  const stamp = join(root, "target", `${name}.sha256`);
  const folders = [...FOLDERS.map((folder) => join(root, folder)), ...also];
  const wanted = `${hashOf([...FILES.map((file) => join(root, file)), ...folders.flatMap(filesBelow)])} ${more}`;
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted && still()) return false;
  rmSync(stamp, { force: true });
  installPackages();
  steps();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
  return true;
}

function run(command, args, what) {
  const done = spawnSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  if (done.error?.code === "ENOENT") {
    fail(
      `needs '${command}' to ${what} and does not find it. Install Node ${NEEDED_NODE} or newer with npm.`,
    );
  }
  if (done.error) fail(`could not ${what}: ${done.error.message}`);
  if (done.status !== 0) {
    fail(
      `could not ${what}: '${command} ${args.join(" ")}' ended with ${done.status ?? done.signal}; see above.`,
    );
  }
}

/** Runs a tool of the page's packages, by its script. */
export function runTool(script, args, what) {
  run(process.execPath, [join("node_modules", script), ...args], what);
}

function installPackages() {
  const stamp = join(root, "node_modules", ".gadget-installed");
  const wanted = hashOf([join(root, "package-lock.json")]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  run(
    "npm",
    ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    "install the page's packages",
  );
  writeFileSync(stamp, wanted);
}
