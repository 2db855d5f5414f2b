import { MutationObserver, onlineManager } from "@tanstack/react-query";
import { afterEach, expect, it } from "vitest";
import { makeQueryClient } from "./client";

afterEach(() => onlineManager.setOnline(true));

it("asks the service also when the browser takes itself for offline: it may be on this machine", async () => {
  onlineManager.setOnline(false);
  const client = makeQueryClient();
  await expect(client.fetchQuery({ queryKey: ["x"], queryFn: async () => "read" })).resolves.toBe("read");
  const send = new MutationObserver(client, { mutationFn: async () => "sent" });
  await expect(send.mutate()).resolves.toBe("sent");
});
