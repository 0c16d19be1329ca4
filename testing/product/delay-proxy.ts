/**
 * A proxy to the product that imitates a bad connection. Data arrives in order but late, each chunk with a
 * different delay. This exposes tests and pages that wait for the wrong event.
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** Frequencies of the delays, and their maximum in milliseconds: mostly none, occasionally long. */
const DELAYS = [
  { share: 0.88, most: 0 },
  { share: 0.08, most: 100 },
  { share: 0.03, most: 500 },
  { share: 0.01, most: 1_500 },
];

function pickDelay(): number {
  let left = Math.random();
  const wait = DELAYS.find(({ share }) => (left -= share) < 0) ?? DELAYS[0]!;
  return Math.random() * wait.most;
}

/** Copies data from one socket to the other, then ends the other. */
async function forward(from: Socket, to: Socket): Promise<void> {
  try {
    for await (const chunk of from) {
      await pause(pickDelay());
      if (to.destroyed) break;
      to.write(chunk as Buffer);
    }
    to.end();
  } catch {
    // One end disconnected, so close the other.
  } finally {
    if (from.destroyed && from.errored) to.destroy();
  }
}

/**
 * Opens an unsteady connection to a local server.
 *
 * @param url the server's URL
 * @returns the URL to use instead, and a function that closes the connection
 */
export async function startDelayProxy(url: string): Promise<{ url: string; close: () => void }> {
  const port = Number(new URL(url).port);
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    const far = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
      });
      void forward(socket, other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port for the unsteady link");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
