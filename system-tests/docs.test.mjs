// What the documents name in backticks exists: files, classes, settings, commands.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { ROOT } from "./lib/processes.mjs";

const tracked = execFileSync("git", ["-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .trim()
  .split("\n");
const documents = tracked.filter((path) => path.endsWith(".md"));
const sources = tracked.filter((path) => /\.(java|ts|tsx|mjs)$/.test(path) && !path.endsWith(".gen.ts"));
const classes = new Set(sources.map((path) => path.replace(/^.*\//, "").replace(/\.[a-z]+$/, "")));
const javaText = sources.filter((path) => path.endsWith(".java")).map((path) => readFileSync(join(ROOT, path), "utf8")).join("\n");
const folders = new Set(tracked.flatMap((path) => path.split("/").slice(0, -1).map((_, depth, parts) => parts.slice(0, depth + 1).join("/"))));

// Names that belong to others: libraries, commands, annotations.
const FOREIGN = new Set([
  "HttpClient", "WebSocket", "MongoDB", "ArchUnit", "NullAway", "JaCoCo", "GraalVM", "TypeScript", "JavaScript",
  "OpenAPI", "PodDisruptionBudget", "NetworkPolicy", "AbortController", "SecureDirectoryStream", "ProcessHandle",
]);

for (const document of documents) {
  const text = readFileSync(join(ROOT, document), "utf8");
  const prose = text.replace(/```[\s\S]*?```/g, "");
  const names = [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]);

  test(`${document}: what it names exists`, () => {
    const missing = names.filter((name) => !exists(name, dirname(document)));
    assert.deepEqual(missing, []);
  });

  test(`${document}: its links lead somewhere`, () => {
    const links = [...prose.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map((match) => match[1]).filter((link) => !/^[a-z]+:/.test(link));
    const missing = links.filter((link) => !existsSync(join(ROOT, dirname(document), link)));
    assert.deepEqual(missing, []);
  });
}

function exists(name, folder) {
  if (/[<>{}*…|=]|\bNNNN\b/.test(name)) return true; // a pattern, not a name
  if (/^[\w.@-]+(\/[\w.@-]+)+\/?$/.test(name) && looksLikeOurs(name)) {
    const path = name.replace(/\/$/, "");
    return [path, join(folder, path)].some((one) => tracked.includes(one) || folders.has(one));
  }
  if (/^[A-Z][a-z]+([A-Z][a-z0-9]+)+$/.test(name)) return classes.has(name) || FOREIGN.has(name) || new RegExp(`\\b(record|enum|interface|class) ${name}\\b`).test(javaText);
  if (/^dev\.gadget(\.[a-z]+)+$/.test(name)) return folders.has(packagePath(name)) || [...folders].some((one) => one.endsWith(name.replaceAll(".", "/")));
  return true;
}

const looksLikeOurs = (name) => folders.has(name.split("/")[0]) || name.startsWith("docs/");
const packagePath = (name) => name.replaceAll(".", "/");
