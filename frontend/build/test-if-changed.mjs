// Runs the page's tests, unless they went well before with the same sources and samples. Maven calls it.
import { join } from "node:path";
import { root, runTool, unlessUnchanged } from "./page.mjs";

const samples = join(root, "..", "shared-model", "src", "test", "resources", "samples");
const ran = unlessUnchanged("page-tests", { also: [samples] }, () => {
  runTool("vitest/vitest.mjs", ["run", "--reporter=dot"], "see the page's tests pass");
});
if (!ran) console.log("frontend: the page's tests passed before, with the same sources");
