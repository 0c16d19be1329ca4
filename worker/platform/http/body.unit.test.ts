import { afterEach, expect, test, vi } from "vitest";

import { DISCARD_TIMEOUT_MS, discardBody, MAX_BODY_BYTES, MAX_DISCARDED_BYTES, readLimited } from "./body.ts";

afterEach(() => vi.useRealTimers());

const PIECE = new Uint8Array(16 * 1024);

/** Returns a request with a chunked body, and records how many chunks are read. */
function pieces(pull: (controller: ReadableStreamDefaultController<Uint8Array>, count: number) => unknown) {
  const seen = { pulled: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => void pull(controller, ++seen.pulled),
      cancel: () => void (seen.cancelled = true),
    },
    { highWaterMark: 0 },
  );
  // Node requires `duplex` for a body that is a stream.
  const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
  return { request: new Request("http://naturestrip.test/", init), seen };
}

/** Returns a request whose body ends after `count` chunks. */
const ending = (count: number) =>
  pieces((controller, pulled) => (pulled > count ? controller.close() : controller.enqueue(PIECE)));

const endless = () => pieces((controller) => controller.enqueue(PIECE));

test("an unread body is read to its end", async () => {
  const { request, seen } = ending(6);
  await discardBody(request);
  expect(seen).toEqual({ pulled: 7, cancelled: false });
});

test("the rest of a body that is too large is read to its end", async () => {
  const { request, seen } = ending(20);
  await expect(readLimited(request)).rejects.toMatchObject({ code: "payload_too_large" });
  expect(seen.pulled).toBe(MAX_BODY_BYTES / PIECE.byteLength + 1);
  await discardBody(request);
  expect(seen).toEqual({ pulled: 21, cancelled: false });
});

test("an endless body is cancelled", async () => {
  const { request, seen } = endless();
  await discardBody(request);
  expect(seen).toEqual({ pulled: MAX_DISCARDED_BYTES / PIECE.byteLength, cancelled: true });
});

test("a body whose Content-Length is far too large is cancelled unread", async () => {
  const { request, seen } = endless();
  request.headers.set("Content-Length", String(MAX_DISCARDED_BYTES + 1));
  await discardBody(request);
  expect(seen).toEqual({ pulled: 0, cancelled: true });
});

test("a slow body delays its response by two seconds at most", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { request, seen } = pieces(() => {});
  const dropped = discardBody(request);
  await vi.advanceTimersByTimeAsync(DISCARD_TIMEOUT_MS - 1);
  expect(seen.cancelled).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await dropped;
  expect(seen.cancelled).toBe(true);
});

test("a client that disconnects early causes no error", async () => {
  const { request } = pieces((controller) => controller.error(new Error("The sender has gone")));
  await expect(discardBody(request)).resolves.toBeUndefined();
});

test("a request with a read body, or without a body, is ignored", async () => {
  const { request } = ending(2);
  await request.arrayBuffer();
  await expect(discardBody(request)).resolves.toBeUndefined();
  await expect(discardBody(new Request("http://naturestrip.test/"))).resolves.toBeUndefined();
});
