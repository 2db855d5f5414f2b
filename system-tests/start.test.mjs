// What a program takes at its start from where it is started.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { command, start, temporaryFolder } from "./lib/processes.mjs";

test("A14: a repository's .env and config/application.properties do not set the drone that is started in it", async (t) => {
  const repository = temporaryFolder(t, "hostile");
  const chosen = join(temporaryFolder(t, "outside"), "chosen.log");
  const settings = { "log.file.enabled": "true", "log.file.path": chosen, "log.level": "DEBUG", "log.category.\"io.quarkus\".level": "DEBUG" };
  mkdirSync(join(repository, "config"));
  for (const file of [".env", ".env-prod", "config/application.properties", "config/application-prod.properties"]) {
    writeFileSync(join(repository, file), Object.entries(settings).map(([name, value]) => `quarkus.${name}=${value}\n`).join(""));
  }
  for (const words of [["--version"], ["status"], ["run"], ["mcp", "list", "--workspace", "."]]) {
    const drone = start(t, "drone", [...command("drone"), ...words], { cwd: repository });
    await drone.exited;
    assert.ok(!existsSync(chosen), `gadget-drone ${words.join(" ")} took settings from the repository`);
    assert.doesNotMatch(drone.output, /DEBUG|ConfigSource/);
  }
});

test("a relative workspace is meant from where the drone is started", async (t) => {
  const folder = temporaryFolder(t, "relative");
  mkdirSync(join(folder, "shop"));
  for (const [words, place] of [[[], folder], [["--workspace", "."], folder], [["--workspace", "shop"], join(folder, "shop")]]) {
    const drone = start(t, "drone", [...command("drone"), "status", ...words], { cwd: folder });
    assert.equal((await drone.exited).code, 1);
    assert.match(drone.output, new RegExp(`: ${place} is no workspace yet`));
  }
});
