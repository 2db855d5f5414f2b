// Builds the page into the folder given, unless it stands there already, built from the same sources.
// Maven calls it: node build/build-if-changed.mjs target/classes/META-INF/resources
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const NEEDED_NODE = 20;
const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const SOURCES = ["index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts", "src", "public"];

function fail(message) {
  console.error(`frontend: ${message}`);
  process.exit(1);
}

function filesBelow(path) {
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(path, entry.name)) : [join(path, entry.name)]));
}

function filesOf(path) {
  if (!existsSync(path)) return [];
  return path.endsWith("src") || path.endsWith("public") ? filesBelow(path) : [path];
}

function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files) {
    hash.update(file.slice(root.length)).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

function readOr(path, otherwise) {
  return existsSync(path) ? readFileSync(path, "utf8") : otherwise;
}

function run(command, args, what) {
  const done = spawnSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  if (done.error?.code === "ENOENT") fail(`needs '${command}' to ${what} and does not find it on the PATH. Install Node ${NEEDED_NODE} or newer with npm.`);
  if (done.error) fail(`could not ${what}: ${done.error.message}`);
  if (done.status !== 0) fail(`could not ${what}: '${command} ${args.join(" ")}' ended with ${done.status ?? done.signal}; its output is above.`);
}

function installPackages() {
  const lock = join(root, "package-lock.json");
  const stamp = join(root, "node_modules", ".gadget-installed");
  const wanted = hashOf([lock]);
  if (readOr(stamp, "") === wanted) return;
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], "install the page's packages");
  writeFileSync(stamp, wanted);
}

const major = Number(process.versions.node.split(".")[0]);
if (major < NEEDED_NODE) fail(`needs Node ${NEEDED_NODE} or newer to build the page, but this is ${process.version}.`);
if (process.argv.length !== 3) fail("usage: node build/build-if-changed.mjs OUTPUT_FOLDER");

const outDir = resolve(process.argv[2]);
const stampFile = join(root, "target", "page.sha256");
const wanted = `${hashOf(SOURCES.flatMap((name) => filesOf(join(root, name))))} ${outDir}`;

if (readOr(stampFile, "") === wanted && existsSync(join(outDir, "index.html"))) {
  console.log("frontend: the page is up to date");
} else {
  rmSync(stampFile, { force: true });
  installPackages();
  run(process.execPath, [join("node_modules", "vite", "bin", "vite.js"), "build", "--outDir", outDir, "--emptyOutDir", "--logLevel", "warn"], "build the page");
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, wanted);
  console.log(`frontend: built the page into ${outDir}`);
}
