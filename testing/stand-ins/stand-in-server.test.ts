import { Agent, get, type IncomingMessage } from "node:http";

import { expect, test } from "vitest";

import { serveStandIn } from "./stand-in-server.ts";

test("a stand-in never times out a keep-alive connection", async () => {
  const standIn = await serveStandIn(() => new Response("here"));
  const agent = new Agent({ keepAlive: true });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(standIn.url, { agent }, resolve).once("error", reject);
  });
  expect(response.headers.connection).toBe("keep-alive");
  // A server that closes idle connections announces it, as in "timeout=5".
  expect(response.headers["keep-alive"]).toBeUndefined();
  agent.destroy();
  standIn.stop();
});
