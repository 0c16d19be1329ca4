/** The photo queue stores what the visitor has picked, and nothing that they have removed. */
import { beforeEach, expect, test, vi } from "vitest";

import { UPLOAD_TOKEN } from "../../contract/photo-headers.ts";
import { photoQueue, removeQueued, enqueuePhotos } from "./photo-queue.ts";
import { eventually } from "../../testing/eventually.ts";

const { stored, disk } = vi.hoisted(() => ({
  stored: new Map<string, unknown>(),
  disk: {
    last: Promise.resolve(),
    /** Writes one after another, as IndexedDB does. */
    write: (change: () => void) => (disk.last = disk.last.then(change)),
  },
}));

vi.mock("idb-keyval", () => ({
  createStore: () => ({}),
  entries: async () => [...stored],
  set: (key: string, value: unknown) => disk.write(() => void stored.set(key, value)),
  del: (key: string) => disk.write(() => void stored.delete(key)),
}));

beforeEach(() => {
  vi.stubGlobal("document", { querySelector: () => null });
  vi.stubGlobal("sessionStorage", { setItem() {}, removeItem() {} });
  vi.stubGlobal("location", { pathname: "/get-quote" });
  // The network never responds.
  vi.stubGlobal("fetch", () => new Promise(() => {}));
});

test("a photo that the visitor removes while earlier ones are being stored is not stored", async () => {
  const { promise: slowDisk, resolve: finish } = Promise.withResolvers<void>();
  disk.last = slowDisk;
  const files = ["lawn", "hedge", "face"].map((name) => new File([name], `${name}.jpg`));
  const input = { files, value: "picked" } as unknown as HTMLInputElement;
  const taken = enqueuePhotos({ header: UPLOAD_TOKEN, value: "token" }, input);
  await eventually(() => expect(photoQueue.read()).toHaveLength(3));
  const [lawn, hedge, face] = photoQueue.read();
  const removed = removeQueued(face!);
  finish();
  await Promise.all([taken, removed]);
  await disk.last;
  expect([...stored.keys()]).toEqual([lawn!.key, hedge!.key]);
});
