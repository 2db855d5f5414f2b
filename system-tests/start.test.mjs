// What a program takes at its start from where it is started.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { atEnd, command, eventually, freePort, start, startCodeService, temporaryFolder } from "./lib/processes.mjs";

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

test("a code service that cannot start says why in one line", async (t) => {
  const cases = [
    [{ GADGET_STORE_MONGODB_URL: "mongodb://ada:s3cret@127.0.0.1:9/team", GADGET_STORE_TIMEOUT: "1s" }, /MongoDB at 127\.0\.0\.1:9 \(gadget\.store\.mongodb-url\) does not answer/],
    [{ GADGET_SECRET_KEY: "dG9vIHNob3J0" }, /gadget\.secret-key has to be 32 bytes in Base64/],
    [{ GADGET_ADMIN_PASSWORD: "short" }, /password/],
  ];
  for (const [settings, why] of cases) {
    const env = { QUARKUS_HTTP_HOST: "127.0.0.1", QUARKUS_HTTP_PORT: String(await freePort()), GADGET_DATA_DIR: temporaryFolder(t, "data"), ...settings };
    const code = start(t, "code", command("code"), { env });
    assert.equal((await code.exited).code, 1, code.output);
    const told = code.output.split("\n").filter((line) => line.startsWith("Gadget cannot start: "));
    assert.equal(told.length, 1, code.output);
    assert.match(told[0], why);
    assert.doesNotMatch(code.output, /^\tat |s3cret/m);
  }
});

test("a provider of the settings that cannot be made is a warning", async (t) => {
  const code = await startCodeService(t, { GADGET_SETUP_PROVIDER_BASE_URL: "no address" });
  assert.match(code.program.output, /The provider of the settings \(gadget\.setup\) is not made: /);
});
