import { beforeEach, expect, test, vi } from "vitest";

import { setDevice } from "../../testing/device.ts";
import type { PurchasedLead } from "./purchases.ts";

const device = setDevice(async () => ({
  ...(await import("./change-desk.ts")),
  ...(await import("./leaving.ts")),
  ...(await import("./notes-desk.tsx")),
  ...(await import("../auth/current-user.ts")),
  ...(await import("../lib/query-client.ts")),
}));

let asking = new Set<(event: Event) => void>();

beforeEach(() => {
  asking = new Set();
  vi.stubGlobal("addEventListener", (name: string, ask: (event: Event) => void) => {
    if (name === "beforeunload") asking.add(ask);
  });
  vi.stubGlobal("removeEventListener", (_: string, ask: (event: Event) => void) => void asking.delete(ask));
  vi.stubGlobal("location", { pathname: "/dashboard", origin: "https://naturestrip.test", search: "" });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  return () => vi.useRealTimers();
});

function isAsked(): boolean {
  const event = new Event("beforeunload", { cancelable: true });
  for (const ask of asking) ask(event);
  return event.defaultPrevented;
}

function openWindow(isImpersonating = false) {
  const { desks, guardLeaving, makeQueryClient, ME_KEY, NotesDesk } = device.modules;
  const client = makeQueryClient();
  client.setQueryData(ME_KEY, { id: "ada", isImpersonating });
  const desk = new NotesDesk(client, { id: "ada", isImpersonating });
  expect(desks.get(client)).toBe(desk);
  guardLeaving(client);
  const change = () => {
    const { changeOf, changeQueue } = device.modules;
    void changeQueue(client).add(changeOf(client, "one", { salesStage: "called", changeKey: "k" }));
    return vi.waitFor(() => expect(changeQueue(client).standing()).toMatchObject({ late: 1, unsure: 0 }));
  };
  return { client, desk, change };
}

test("leaving asks nothing about changes stored on the device", async () => {
  const { change } = openWindow();
  await change();
  expect([isAsked(), asking.size]).toEqual([false, 0]);
});

test.each([
  ["a full disk", false],
  ["an impersonating admin's edits", true],
])("leaving asks about a change that is only in this page, but only once: %s", async (_, look) => {
  device.isFull = !look;
  const { client, change } = openWindow(look);
  await change();
  expect(isAsked()).toBe(true);
  device.modules.letLeave(client);
  expect([isAsked(), asking.size]).toEqual([false, 0]);
});

test("counts notes that are not stored, and asks if the last request cannot save them", async () => {
  const { countUnsavedNotes } = device.modules;
  const { client, desk } = openWindow();
  const lead = { id: "one", salesNotes: null, notesVersion: 0 } as PurchasedLead;
  device.isFull = true;
  desk.draft(lead).type("The gate sticks");
  await vi.waitFor(() => expect(desk.unkept.size).toBe(1));
  expect([isAsked(), await countUnsavedNotes(client)]).toEqual([false, 1]);
  vi.stubGlobal("navigator", { onLine: false, cookieEnabled: true });
  expect(isAsked()).toBe(true);
  // Storage has room again. The next input is stored, and another lead's stored notes count too.
  device.isFull = false;
  desk.draft(lead).type("The gate sticks.");
  await vi.waitFor(() => expect(desk.unkept.size).toBe(0));
  device.kept.set("notes:ada:two", "sealed");
  expect([isAsked(), asking.size, await countUnsavedNotes(client)]).toEqual([false, 0, 2]);
});
