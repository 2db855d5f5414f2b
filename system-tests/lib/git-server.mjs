// A git server over https on loopback: git's own http-backend behind Node, with a certificate that only a test's home directory trusts.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { dirname, join } from "node:path";
import { atEnd, temporaryFolder } from "./processes.mjs";

export function git(cwd, ...args) {
  return execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  }).trim();
}

/** A home directory as the drone's owner has one, with these lines in its git settings. */
export function ownersHome(t, settings) {
  const home = temporaryFolder(t, "home");
  writeFileSync(join(home, ".gitconfig"), settings);
  return home;
}

/**
 * Serves repositories below a folder. What `hold` gives is awaited in the middle of each pack, after some of it went out.
 */
export async function startGitServer(t, folder, hold = async () => {}) {
  const keys = temporaryFolder(t, "keys");
  const [key, certificate] = [join(keys, "key.pem"), join(keys, "cert.pem")];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate], { stdio: "ignore" });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => serve(folder, hold, request, response));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  atEnd(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `https://127.0.0.1:${server.address().port}`, certificate };
}

function serve(folder, hold, request, response) {
  const { pathname, searchParams } = new URL(request.url, "https://127.0.0.1");
  const backend = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: pathname,
      QUERY_STRING: searchParams.toString(),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: request.headers["git-protocol"] ?? "",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  request.pipe(backend.stdin);
  backend.stdin.on("error", () => {});
  response.on("error", () => {});
  relay(backend.stdout, response, request.method === "POST" ? hold : async () => {}).catch(() => response.destroy());
}

async function relay(output, response, hold) {
  let head = Buffer.alloc(0);
  let sent = 0;
  let begun = false;
  for await (const chunk of output) {
    let body = chunk;
    if (!begun) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) continue;
      begun = true;
      let status = 200;
      for (const line of head.subarray(0, end).toString("latin1").split("\r\n")) {
        const [name, value] = line.split(/:\s*/, 2);
        if (name === "Status") status = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.writeHead(status);
      body = head.subarray(end + 4);
    }
    response.write(body);
    sent += body.length;
    if (sent > 256 * 1024) await hold();
  }
  response.end();
}

/** A bare repository with one commit, and the working tree that it came from. */
export function makeRepository(folder, name, files) {
  const tree = join(folder, `${name}-work`);
  mkdirSync(tree, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), content);
  }
  git(tree, "init", "-q", "-b", "main");
  git(tree, "add", "--all");
  git(tree, "commit", "-q", "-m", "first");
  git(folder, "clone", "-q", "--bare", tree, `${name}.git`);
  git(tree, "remote", "add", "origin", join(folder, `${name}.git`));
  return {
    tree,
    commit(path, content) {
      writeFileSync(join(tree, path), content);
      git(tree, "add", "--all");
      git(tree, "commit", "-q", "-m", path);
      git(tree, "push", "-q", "origin", "main");
    },
  };
}
