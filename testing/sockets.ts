import { expect } from "vitest";

import { call, callerFor, db } from "./client.ts";
import { insertUser } from "./world.ts";

/** A browser's end of a live socket, with all received frames. */
export type TestSocket = {
  socket: WebSocket;
  /** Every frame as received. */
  frames: string[];
  closed: Promise<{ code: number }>;
  /** Waits for the frame with this index and returns it parsed. */
  frame(index: number): Promise<Record<string, unknown>>;
};

/** Opens a live socket as a browser would. @throws if the response is not an upgrade */
export async function openSocket(path: string, cookie: string): Promise<TestSocket> {
  const response = await call("GET", path, { cookie, headers: { Upgrade: "websocket" } });
  expect(response.status).toBe(101);
  const socket = response.webSocket!;
  const frames: string[] = [];
  const waiting: (() => void)[] = [];
  socket.addEventListener("message", (event) => {
    frames.push(String(event.data));
    for (const wake of waiting.splice(0)) wake();
  });
  const closed = new Promise<{ code: number }>((resolve) => {
    socket.addEventListener("close", (event) => resolve({ code: event.code }));
  });
  socket.accept();
  return {
    socket,
    frames,
    closed,
    async frame(index) {
      while (frames.length <= index) await new Promise<void>((resolve) => waiting.push(resolve));
      return JSON.parse(frames[index]!) as Record<string, unknown>;
    },
  };
}

/** Inserts a provider and returns their cookie. */
export async function insertProvider(overrides: Parameters<typeof insertUser>[1] = {}) {
  const user = await insertUser(db, overrides);
  return { user, as: await callerFor(user.id) };
}
