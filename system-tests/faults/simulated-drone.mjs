// A drone as far as its socket goes, for faults that need many of them or one that misbehaves.
import { randomUUID } from "node:crypto";
import WebSocket from "ws";

const pause = (millis) => new Promise((done) => setTimeout(done, millis));

export class SimulatedDrone {
  commands = [];
  welcomes = 0;
  stopped = false;

  /** Enrols it with the service and keeps it connected until it is stopped, coming back with a jittered back-off. */
  static async enrol(rig, name) {
    const drone = new SimulatedDrone();
    Object.assign(drone, { rig, name, workspaceId: randomUUID() });
    const { code } = await rig.call("POST", "/drones/enrolments", {});
    const place = { name, workspaceId: drone.workspaceId, hostname: "simulated", workspaceDir: `/simulated/${name}` };
    drone.credential = (await rig.call("POST", "/drones/enrol", { code, ...place })).credential;
    rig.t.after(() => drone.stop());
    drone.done = drone.#stayConnected();
    return drone;
  }

  say(event) {
    this.socket.send(JSON.stringify(event));
  }

  stop() {
    this.stopped = true;
    this.socket?.terminate();
    return this.done;
  }

  async #stayConnected() {
    for (let tries = 0; !this.stopped; tries += 1) {
      const before = this.welcomes;
      await this.#connect();
      if (this.welcomes > before) tries = 0;
      await pause(Math.min(5000, 250 * 2 ** tries) * (0.5 + this.rig.random() / 2));
    }
  }

  #connect() {
    return new Promise((over) => {
      const socket = new WebSocket(`${this.rig.code.url.replace(/^http/, "ws")}/ws/drone`, {
        headers: { authorization: `Bearer ${this.credential}` },
        handshakeTimeout: 10_000,
      });
      this.socket = socket;
      socket.on("open", () =>
        this.say({
          type: "hello", protocolVersion: 1, droneVersion: "0.1.0", workspaceId: this.workspaceId, hostname: "simulated",
          workspaceDir: `/simulated/${this.name}`, platform: "simulated", status: "available", held: [],
        }),
      );
      socket.on("message", (text) => {
        const command = JSON.parse(text);
        this.commands.push(command);
        if (command.type === "welcome") this.welcomes += 1;
      });
      socket.on("error", () => {});
      socket.on("close", over);
    });
  }
}
