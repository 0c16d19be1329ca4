import { beforeEach, expect, test, vi } from "vitest";

import { useFakeDevice } from "../../testing/device.ts";
import type { PurchasedLead } from "./purchases.ts";
import { eventually } from "../../testing/eventually.ts";

const device = useFakeDevice(async () => ({
  ...(await import("./changes.ts")),
  ...(await import("./warn-before-unload.ts")),
  ...(await import("./notes-drafts.tsx")),
  ...(await import("../auth/current-user.ts")),
  ...(await import("../lib/query-client.ts")),
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
  vi.stubGlobal("location", { pathname: "/dashboard", origin: "https://naturestrip.test", search: "" });
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
  const { draftsByClient, warnBeforeUnload, makeQueryClient, CURRENT_USER_KEY, NotesDrafts } = device.modules;
  const client = makeQueryClient();
  client.setQueryData(CURRENT_USER_KEY, { id: "ada", isImpersonating });
  const notesDrafts = new NotesDrafts(client, { id: "ada", isImpersonating });
  expect(draftsByClient.get(client)).toBe(notesDrafts);
  warnBeforeUnload(client);
  const change = () => {
    const { createChange, getChangeQueue } = device.modules;
    void getChangeQueue(client).add(createChange(client, "one", { salesStage: "called", changeKey: "k" }));
    return eventually(() =>
      expect(getChangeQueue(client).getStatus()).toMatchObject({ late: 1, beingStored: 0 }),
    );
  };
  return { client, notesDrafts, change };
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

test("counts notes that are not stored, and asks if the last request cannot save them", async () => {
  const { countUnsavedNotes } = device.modules;
  const { client, notesDrafts } = openWindow();
  const lead = { id: "one", salesNotes: null, notesVersion: 0 } as PurchasedLead;
  device.isFull = true;
  notesDrafts.draft(lead).type("The gate sticks");
  await eventually(() => expect(notesDrafts.unstored.size).toBe(1));
  expect([isWarned(), await countUnsavedNotes(client)]).toEqual([false, 1]);
  vi.stubGlobal("navigator", { onLine: false, cookieEnabled: true });
  expect(isWarned()).toBe(true);
  // Storage has room again. The next input is stored, and another lead's stored notes count too.
  device.isFull = false;
  notesDrafts.draft(lead).type("The gate sticks.");
  await eventually(() => expect(notesDrafts.unstored.size).toBe(0));
  device.stored.set("notes:ada:two", "sealed");
  expect([isWarned(), unloadListeners.size, await countUnsavedNotes(client)]).toEqual([false, 0, 2]);
});
