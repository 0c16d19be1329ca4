import { beforeEach, expect, test, vi } from "vitest";

import { useFakeDevice } from "../../testing/device.ts";
import { eventually } from "../../testing/eventually.ts";

const device = useFakeDevice(async () => ({
  ...(await import("./use-outbox.ts")),
  ...(await import("./warn-before-unload.ts")),
  ...(await import("../auth/current-user.ts")),
  ...(await import("../lib/query-client.ts")),
  ...(await import("../lib/encrypted-store.ts")),
}));

let unloadListeners = new Set<(event: Event) => void>();

beforeEach(() => {
  unloadListeners = new Set();
  vi.stubGlobal("addEventListener", (name: string, ask: (event: Event) => void) => {
    if (name === "beforeunload") unloadListeners.add(ask);
  });
  vi.stubGlobal(
    "removeEventListener",
    (_: string, ask: (event: Event) => void) => void unloadListeners.delete(ask),
  );
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  return () => vi.useRealTimers();
});

function isWarned(): boolean {
  const event = new Event("beforeunload", { cancelable: true });
  for (const ask of unloadListeners) ask(event);
  return event.defaultPrevented;
}

function openWindow(isImpersonating = false) {
  const { createEntry, CURRENT_USER_KEY, getOutbox, makeQueryClient, warnBeforeUnload } = device.modules;
  const client = makeQueryClient();
  client.setQueryData(CURRENT_USER_KEY, { id: "ada", isImpersonating });
  warnBeforeUnload(client);
  const outbox = getOutbox(client);
  const change = () => {
    const entry = createEntry(client, "one", "k");
    void outbox.add({ ...entry, kind: "fields", body: { salesStage: "called" }, base: null });
    return eventually(() => expect(outbox.getStatus()).toMatchObject({ late: 1, beingStored: 0 }));
  };
  const type = (body: string) => {
    const facts = createEntry(client, "one", "n");
    outbox.type({ ...facts, kind: "notes", body, base: { text: "", version: 0 } }, 800);
  };
  return { client, outbox, change, type };
}

test("leaving asks nothing about changes stored on the device", async () => {
  const { change } = openWindow();
  await change();
  expect([isWarned(), unloadListeners.size]).toEqual([false, 0]);
});

test.each([
  ["a full disk", false],
  ["an impersonating admin's edits", true],
])("leaving asks about a change that is only in this page, but only once: %s", async (_, isImpersonated) => {
  device.isFull = !isImpersonated;
  const { client, change } = openWindow(isImpersonated);
  await change();
  expect(isWarned()).toBe(true);
  device.modules.stopWarning(client);
  expect([isWarned(), unloadListeners.size]).toEqual([false, 0]);
});

test("leaving asks about notes that are not stored, if the last request cannot save them", async () => {
  const { outbox, type } = openWindow();
  device.isFull = true;
  type("The gate sticks");
  await eventually(() => expect(outbox.hasUnstored()).toBe(true));
  expect(isWarned()).toBe(false);
  vi.stubGlobal("navigator", { onLine: false, cookieEnabled: true });
  expect(isWarned()).toBe(true);
  // Storage has room again. The next input is stored.
  device.isFull = false;
  type("The gate sticks.");
  // Writes are made in order.
  await device.modules.deleteEncrypted("nothing");
  expect(outbox.hasUnstored()).toBe(false);
  expect([isWarned(), unloadListeners.size]).toEqual([false, 0]);
});
