// Builds the page into the folder given, unless it stands there already, built from the same sources.
// Maven calls it: node build/build-if-changed.mjs target/classes/META-INF/resources
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail, runTool, unlessUnchanged } from "./page.mjs";

if (process.argv.length !== 3) fail("usage: node build/build-if-changed.mjs OUTPUT_FOLDER");
const outDir = resolve(process.argv[2]);

const built = unlessUnchanged(
  "page",
  { still: () => existsSync(join(outDir, "index.html")), more: outDir },
  () => {
    runTool(
      "@biomejs/biome/bin/biome",
      ["check", "--error-on-warnings", "."],
      "find the page in order ('npm run format')",
    );
    runTool("typescript/bin/tsc", ["--noEmit"], "find the page's types in order");
    const options = ["--outDir", outDir, "--emptyOutDir", "--logLevel", "warn"];
    runTool("vite/bin/vite.js", ["build", ...options], "build the page");
  },
);
console.log(built ? `frontend: built the page into ${outDir}` : "frontend: the page is up to date");
