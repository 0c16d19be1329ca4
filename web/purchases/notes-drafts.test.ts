import { expect, test, vi } from "vitest";

import { useFakeDevice } from "../../testing/device.ts";
import type { PurchasedLead } from "./purchases.ts";
import { eventually } from "../../testing/eventually.ts";

const device = useFakeDevice(async () => ({
  ...(await import("./notes-drafts.tsx")),
  ...(await import("../lib/query-client.ts")),
  ...(await import("../lib/encrypted-store.ts")),
}));

const purchase = { id: "one", salesNotes: null, notesVersion: 0 } as PurchasedLead;
const deviceNotes = (text: string) => ({ text, version: 0, base: "" });

function createDrafts(id: string, isImpersonating: boolean) {
  const { makeQueryClient, NotesDrafts } = device.modules;
  return new NotesDrafts(makeQueryClient(), { id, isImpersonating });
}

test("stores unsaved notes encrypted, and the next page restores them", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    createDrafts("ada", false).draft(purchase).type("Key under the third pot");
    await eventually(() => expect(device.stored.size).toBe(1));
    const [stored] = device.stored.values();
    expect(Object.keys(stored as object).toSorted()).toEqual(["bytes", "iv"]);
    expect(new TextDecoder().decode((stored as { bytes: ArrayBuffer }).bytes)).not.toContain("pot");
    const next = createDrafts("ada", false);
    await next.restoreAll(() => purchase);
    expect(next.draft(purchase).view()).toMatchObject({ text: "Key under the third pot", state: "typing" });
  } finally {
    vi.useRealTimers();
  }
});

test("deletes another user's notes without showing them", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await device.modules.storeEncrypted("notes:ada:one", deviceNotes("Ada's words"));
    await device.modules.storeEncrypted("notes:bob:one", deviceNotes("Bob's words"));
    const notesDrafts = createDrafts("bob", false);
    await notesDrafts.restoreAll(() => purchase);
    expect(notesDrafts.draft(purchase).view()).toMatchObject({ text: "Bob's words", state: "typing" });
    expect([...device.stored.keys()]).toEqual(["notes:bob:one"]);
  } finally {
    vi.useRealTimers();
  }
});

test("an impersonating admin neither restores, deletes nor stores notes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await device.modules.storeEncrypted("notes:ada:one", deviceNotes("Ada's words"));
    const notesDrafts = createDrafts("ada", true);
    await notesDrafts.restoreAll(() => purchase);
    const draft = notesDrafts.draft(purchase);
    expect(draft.view()).toMatchObject({ text: "", state: "idle" });
    draft.type("An admin's words");
    await eventually(() => expect(notesDrafts.unstored.size).toBe(1));
    expect([...device.stored.keys()]).toEqual(["notes:ada:one"]);
    expect(await device.modules.readEncrypted("notes:ada:one")).toEqual(deviceNotes("Ada's words"));
  } finally {
    vi.useRealTimers();
  }
});
