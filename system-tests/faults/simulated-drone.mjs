// A drone as far as its socket goes, for faults that need many of them or one that misbehaves.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import WebSocket from "ws";
import { atEnd } from "../lib/processes.mjs";

export class SimulatedDrone {
  commands = [];
  /** What it was asked to do and began, as every message about it has to say; `lastSeq` is the last number that it said. */
  order = null;
  lastSeq = 0;
  welcomes = 0;
  #stopping = new AbortController();

  /** Enrols it with the service and keeps it connected until it is stopped, coming back with a jittered back-off. */
  static async enrol(rig, name) {
    const drone = new SimulatedDrone();
    Object.assign(drone, { rig, name, workspaceId: randomUUID() });
    const { code } = await rig.call("POST", "/drones/enrolments", {});
    const place = { name, workspaceId: drone.workspaceId, hostname: "simulated", workspaceDir: `/simulated/${name}` };
    drone.credential = (await rig.call("POST", "/drones/enrol", { code, ...place })).credential;
    atEnd(rig.t, () => drone.stop());
    drone.done = drone.#stayConnected();
    return drone;
  }

  /** Waits until it has begun a turn. */
  async begun() {
    while (!this.order?.started) await pause(10);
  }

  report(entries) {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.lastSeq = Math.max(this.lastSeq, entries.at(-1).seq);
    const { workOrderId, attempt, fence } = this.order;
    this.say({ type: "work_reported", workOrderId, attempt, fence, entries });
  }

  #held() {
    if (!this.order) return [];
    const { workOrderId, turnId, attempt, fence } = this.order;
    return [{ workOrderId, turnId, attempt, fence, lastSeq: this.lastSeq, running: true, complete: false }];
  }

  #take(command) {
    switch (command.type) {
      case "welcome":
        this.welcomes += 1;
        break;
      case "process_work_order": {
        const { workOrder, attempt, fence } = command;
        this.order = { workOrderId: workOrder.workOrderId, turnId: workOrder.turnId, attempt, fence };
        this.say({ type: "work_order_accepted", workOrderId: workOrder.workOrderId, attempt, fence });
        break;
      }
      case "start_work_order":
        this.order.started = true;
        break;
      case "release_work_order":
        this.order = null;
        break;
    }
  }

  /** Cuts its connection and waits until it is back. */
  async reconnect() {
    const before = this.welcomes;
    this.socket.terminate();
    while (this.welcomes === before) await pause(10);
  }

  say(event) {
    this.socket.send(JSON.stringify(event));
  }

  stop() {
    this.#stopping.abort();
    this.socket?.terminate();
    return this.done;
  }

  async #stayConnected() {
    const { signal } = this.#stopping;
    for (let tries = 0; !signal.aborted; tries += 1) {
      const before = this.welcomes;
      await this.#connect();
      if (this.welcomes > before) tries = 0;
      await pause(Math.min(5000, 250 * 2 ** tries) * (0.5 + this.rig.random() / 2), undefined, { signal }).catch(() => {});
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
          workspaceDir: `/simulated/${this.name}`, platform: "simulated", status: this.order ? "busy" : "available",
          held: this.#held(),
        }),
      );
      socket.on("message", (text) => {
        const command = JSON.parse(text);
        this.commands.push(command);
        this.#take(command);
      });
      socket.on("error", () => {});
      socket.on("close", over);
    });
  }
}
