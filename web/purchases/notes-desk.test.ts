import { expect, test, vi } from "vitest";

import { setDevice } from "../../testing/device.ts";
import type { PurchasedLead } from "./purchases.ts";

const device = setDevice(async () => ({
  ...(await import("./notes-desk.tsx")),
  ...(await import("../lib/query-client.ts")),
  ...(await import("../lib/sealed-store.ts")),
}));

const purchase = { id: "one", salesNotes: null, notesVersion: 0 } as PurchasedLead;
const kept = (text: string) => ({ text, version: 0, base: "" });

function deskOf(id: string, isImpersonating: boolean) {
  const { makeQueryClient, NotesDesk } = device.modules;
  return new NotesDesk(makeQueryClient(), { id, isImpersonating });
}

test("stores unsaved notes encrypted, and the next page restores them", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    deskOf("ada", false).draft(purchase).type("Key under the third pot");
    await vi.waitFor(() => expect(device.kept.size).toBe(1));
    const [stored] = device.kept.values();
    expect(Object.keys(stored as object).toSorted()).toEqual(["bytes", "iv"]);
    expect(new TextDecoder().decode((stored as { bytes: ArrayBuffer }).bytes)).not.toContain("pot");
    const next = deskOf("ada", false);
    await next.restoreAll(() => purchase);
    expect(next.draft(purchase).view()).toMatchObject({ text: "Key under the third pot", state: "typing" });
  } finally {
    vi.useRealTimers();
  }
});

test("deletes another user's notes without showing them", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await device.modules.keepSealed("notes:ada:one", kept("Ada's words"));
    await device.modules.keepSealed("notes:bob:one", kept("Bob's words"));
    const desk = deskOf("bob", false);
    await desk.restoreAll(() => purchase);
    expect(desk.draft(purchase).view()).toMatchObject({ text: "Bob's words", state: "typing" });
    expect([...device.kept.keys()]).toEqual(["notes:bob:one"]);
  } finally {
    vi.useRealTimers();
  }
});

test("an impersonating admin neither restores, deletes nor stores notes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await device.modules.keepSealed("notes:ada:one", kept("Ada's words"));
    const desk = deskOf("ada", true);
    await desk.restoreAll(() => purchase);
    const draft = desk.draft(purchase);
    expect(draft.view()).toMatchObject({ text: "", state: "idle" });
    draft.type("An admin's words");
    await vi.waitFor(() => expect(desk.unkept.size).toBe(1));
    expect([...device.kept.keys()]).toEqual(["notes:ada:one"]);
    expect(await device.modules.readSealed("notes:ada:one")).toEqual(kept("Ada's words"));
  } finally {
    vi.useRealTimers();
  }
});
