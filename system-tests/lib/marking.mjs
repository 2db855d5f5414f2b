// Lets programs of this project ask what they ask, and a scripted model know what to answer.
import { createServer, request } from "node:http";
import { atEnd } from "./processes.mjs";

/** Stands before a server and puts a mark into the last prompt of each request, by what it says: scripted models go by marks. */
export async function marking(t, base, marks) {
  const target = new URL(base);
  const server = createServer(async (incoming, answer) => {
    const parts = [];
    for await (const part of incoming) parts.push(part);
    const body = marked(Buffer.concat(parts), marks);
    const headers = { ...incoming.headers, host: target.host, "content-length": String(body.length) };
    const onward = request(new URL(incoming.url, target), { method: incoming.method, headers }, (came) => {
      answer.writeHead(came.statusCode, came.headers);
      came.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    onward.end(body);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  atEnd(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}/v1`;
}

function marked(bytes, marks) {
  if (bytes.length === 0) return bytes;
  const body = JSON.parse(bytes);
  const last = body.messages?.findLast((message) => message.role === "user");
  const mark = last && Object.keys(marks).find((name) => last.content.includes(marks[name]));
  if (mark) last.content += ` [[${mark}]]`;
  return Buffer.from(JSON.stringify(body));
}
