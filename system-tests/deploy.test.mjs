// The deployment files agree with the code: versions, ports, paths, settings.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse, parseAllDocuments } from "yaml";
import { ROOT } from "./lib/processes.mjs";

const read = (path) => readFileSync(join(ROOT, path), "utf8");
const version = /<artifactId>gadget<\/artifactId>\s*<version>([^<]+)</.exec(read("pom.xml"))[1];
const configuration = read("docs/configuration.md");

const base = "deploy/kubernetes/base";
const kustomization = parse(read(`${base}/kustomization.yaml`));
const manifests = kustomization.resources.flatMap((file) =>
  parseAllDocuments(read(`${base}/${file}`)).map((document) => document.toJS()),
);
const manifest = (kind) => manifests.find((one) => one.kind === kind);
const container = manifest("Deployment").spec.template.spec.containers[0];
const compose = parse(read("deploy/compose.yaml"));

test("images carry the version of the project", () => {
  assert.ok(compose.services["code-service"].image.endsWith(`:${version}`));
  assert.ok(kustomization.images[0].newTag.startsWith(version));
});

test("the kustomize base has every part, and each file of the folder is in it", () => {
  assert.deepEqual(
    manifests.map((one) => one.kind).sort(),
    ["Deployment", "Ingress", "Namespace", "NetworkPolicy", "PodDisruptionBudget", "Service", "Service"],
  );
  const files = readdirSync(join(ROOT, base)).filter((file) => file !== "kustomization.yaml");
  assert.deepEqual(files.sort(), [...kustomization.resources].sort());
});

test("kubectl renders the kustomize base", { skip: spawnSync("kubectl", ["version", "--client"]).status !== 0 && "kubectl is not installed" }, () => {
  const rendered = execFileSync("kubectl", ["kustomize", join(ROOT, base)], { encoding: "utf8" });
  const documents = parseAllDocuments(rendered).map((document) => document.toJS());
  assert.equal(documents.length, manifests.length);
  const deployment = documents.find((one) => one.kind === "Deployment");
  assert.equal(deployment.spec.template.spec.containers[0].image, `gadget/code-service:${version}-native`);
});

test("ports agree from the container to the ingress", () => {
  const port = container.ports[0];
  for (const file of ["code-service.Dockerfile", "code-service-native.Dockerfile"]) {
    const text = read(`deploy/container/${file}`);
    assert.match(text, new RegExp(`EXPOSE ${port.containerPort}\\b`));
    assert.match(text, new RegExp(`QUARKUS_HTTP_PORT=${port.containerPort}\\b`));
  }
  assert.equal(manifest("Service").spec.ports[0].targetPort, port.name);
  const published = manifest("Ingress").spec.rules[0].http.paths.find((one) => one.path === "/");
  assert.equal(published.backend.service.name, manifest("Service").metadata.name);
  assert.equal(manifest("NetworkPolicy").spec.ingress[0].ports[0].port, port.containerPort);
  assert.equal(compose.services["code-service"].ports[0], `127.0.0.1:${port.containerPort}:${port.containerPort}`);
});

test("network policy and budget are for the pods of the code service", () => {
  const [{ pairs }] = kustomization.labels;
  assert.deepEqual(manifest("NetworkPolicy").spec.podSelector.matchLabels, pairs);
  assert.deepEqual(manifest("PodDisruptionBudget").spec.selector.matchLabels, pairs);
});

test("health, metrics and the API's description are not published, and monitoring reaches them", () => {
  const closed = manifest("Ingress").spec.rules[0].http.paths.find((one) => one.path === "/q");
  const nowhere = manifests.find((one) => one.kind === "Service" && one.metadata.name === closed.backend.service.name);
  assert.ok(![container.ports[0].name, container.ports[0].containerPort].includes(nowhere.spec.ports[0].targetPort));
  const from = manifest("NetworkPolicy").spec.ingress[0].from.map((one) => one.namespaceSelector.matchLabels["kubernetes.io/metadata.name"]);
  assert.ok(from.includes("monitoring"));
  assert.equal(container.env.find((one) => one.name === "GADGET_METRICS_OPEN").value, "true");
});

test("probes ask what the service answers", () => {
  assert.equal(container.livenessProbe.httpGet.path, "/q/health/live");
  assert.equal(container.readinessProbe.httpGet.path, "/q/health/ready");
  assert.equal(container.startupProbe.httpGet.path, "/q/health/started");
});

test("nothing runs as root or writes to its own root", () => {
  const pod = manifest("Deployment").spec.template.spec;
  assert.equal(pod.securityContext.runAsNonRoot, true);
  assert.equal(container.securityContext.readOnlyRootFilesystem, true);
  assert.deepEqual(container.securityContext.capabilities.drop, ["ALL"]);
  assert.equal(compose.services["code-service"].read_only, true);
  for (const file of readdirSync(join(ROOT, "deploy/container"))) {
    assert.match(read(`deploy/container/${file}`), /^USER 10001:10001$/m, file);
  }
});

test("secrets come by reference, never by value", () => {
  for (const { name, value } of container.env) {
    if (/PASSWORD|KEY|MONGODB/.test(name)) assert.equal(value, undefined, name);
  }
  for (const [name, value] of Object.entries(compose.services["code-service"].environment)) {
    if (/PASSWORD|KEY/.test(name)) assert.match(value, /^\$\{/, name);
  }
});

test("every setting that a deployment names is a documented one", () => {
  const documented = new Set([...configuration.matchAll(/^\| `([A-Za-z][\w.-]*)` \|/gm)].map(([, name]) => name.replace(/[.-]/g, "_").toUpperCase()));
  const named = new Set([...container.env.map((one) => one.name), ...Object.keys(compose.services["code-service"].environment)]);
  const ours = [...named].filter((name) => name.startsWith("GADGET_"));
  assert.ok(ours.length > 0, "a deployment names settings");
  for (const name of ours) assert.ok(documented.has(name), `${name} is not a setting of docs/configuration.md`);
});

test("what the container files copy is what the build makes", () => {
  const names = { "code-service": "gadget-code-service", "drone-service": "gadget-drone" };
  for (const [module, name] of Object.entries(names)) {
    assert.ok(read(`${module}/pom.xml`).includes(`<quarkus.package.output-name>${name}<`));
    assert.ok(read("gadget").includes(`${module}/target/${name}`));
  }
  const copied = readdirSync(join(ROOT, "deploy/container")).flatMap((file) =>
    [...read(`deploy/container/${file}`).matchAll(/^COPY .* (\S+) \S+$/gm)].map((match) => match[1]),
  );
  const ignore = read(".dockerignore");
  for (const path of copied) assert.ok(ignore.includes(`!${path.replace(/\/$/, "")}`), `${path} is kept out by .dockerignore`);
});

test("MongoDB is 7 and a replica set", () => {
  assert.match(compose.services.mongo.image, /mongo:7$/);
  assert.ok(compose.services.mongo.command.includes("--replSet"));
  assert.match(compose.services["code-service"].environment.GADGET_STORE_MONGODB_URL, /replicaSet=rs0/);
});

test("the systemd unit runs the drone in the workspace that its instance names", () => {
  const unit = read("deploy/systemd/gadget-drone@.service");
  assert.match(unit, /^ExecStart=%h\/\.local\/bin\/gadget-drone run --workspace %f$/m);
  assert.ok(existsSync(join(ROOT, "drone-service")));
});

test("the systemd unit does not start again what trying again does not help", () => {
  const [, codes] = /^RestartPreventExitStatus=(.*)$/m.exec(read("deploy/systemd/gadget-drone@.service"));
  const ours = [...read("drone-service/src/main/java/dev/gadget/drone/cli/Failing.java").matchAll(/static final int \w+ = (\d+);/g)].map((match) => match[1]);
  assert.deepEqual(codes.split(" "), ["2", ...ours]);
});

test("what the compose file takes from the environment can be set in .env, and the example names it", () => {
  const environment = Object.entries(compose.services["code-service"].environment);
  const taken = environment.filter(([, value]) => value.startsWith("${")).map(([name]) => name);
  for (const name of ["QUARKUS_HTTP_PROXY_PROXY_ADDRESS_FORWARDING", "GADGET_ADMIN_RESET"]) assert.ok(taken.includes(name), name);
  const example = [...read("deploy/.env.example").matchAll(/^(\w+)=/gm)].map((match) => match[1]);
  assert.deepEqual(example.sort(), taken.sort());
  assert.ok(compose.services["code-service"].tmpfs.includes("/tmp:exec"), "libraries are loaded from /tmp");
});
