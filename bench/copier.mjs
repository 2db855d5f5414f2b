// A program that only copies what comes on its port to another: what two processes' waking takes on this machine, whatever they do.
import { connect, createServer } from "node:net";

const target = Number(process.argv[2]);
const server = createServer((near) => {
  const far = connect(target, "127.0.0.1");
  for (const socket of [near, far]) socket.setNoDelay(true).on("error", () => {});
  near.pipe(far);
  far.pipe(near);
  near.on("close", () => far.destroy());
  far.on("close", () => near.destroy());
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
