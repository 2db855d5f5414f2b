// What a program takes at its start from where it is started.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { atEnd, command, eventually, freePort, start, temporaryFolder } from "./lib/processes.mjs";

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

test("a drone says by its exit code whether it could help to start it again", async (t) => {
  const workspace = temporaryFolder(t, "codes");
  const run = (...words) => start(t, "drone", [...command("drone"), "run", "--workspace", workspace, ...words]);
  assert.equal((await run("--no-such-option").exited).code, 2);
  assert.equal((await run().exited).code, 5, "not enrolled");

  const { workspaceId } = JSON.parse(readFileSync(join(workspace, ".gadget/workspace.json"), "utf8"));
  const server = createServer((_, answer) => answer.writeHead(401).end());
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  atEnd(t, () => server.close());
  const credential = { server: `http://127.0.0.1:${server.address().port}`, droneId: "drone-1", credential: "gone", workspaceId };
  writeFileSync(join(workspace, ".gadget/credential.json"), JSON.stringify(credential), { mode: 0o600 });
  const refused = run();
  assert.equal((await refused.exited).code, 3, refused.output);

  const away = run("--server", `http://127.0.0.1:${await freePort()}`);
  await eventually("the first drone has the workspace", () => /Working in/.test(away.output), { programs: [away] });
  assert.equal((await run().exited).code, 4, "another drone runs there");
});
