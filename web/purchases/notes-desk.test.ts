import { expect, test, vi } from "vitest";

import { setDevice } from "../../testing/device.ts";
import type { PurchasedLead } from "./purchases.ts";

const device = setDevice(async () => ({
  ...(await import("./notes-desk.tsx")),
  ...(await import("../lib/query-client.ts")),
}));

const purchase = { id: "one", salesNotes: null, notesVersion: 0 } as PurchasedLead;
const kept = (text: string) => ({ text, version: 0, base: "" });

function deskOf(id: string, isImpersonating: boolean) {
  const { makeQueryClient, NotesDesk } = device.modules;
  return new NotesDesk(makeQueryClient(), { id, isImpersonating });
}

test("deletes another user's notes without showing them", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    device.kept.set("ada:one", kept("Ada's words"));
    device.kept.set("bob:one", kept("Bob's words"));
    const desk = deskOf("bob", false);
    await desk.restoreAll(() => purchase);
    expect(desk.draft(purchase).view()).toMatchObject({ text: "Bob's words", state: "typing" });
    expect([...device.kept.keys()]).toEqual(["bob:one"]);
  } finally {
    vi.useRealTimers();
  }
});

test("an impersonating admin neither restores, deletes nor stores notes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    device.kept.set("ada:one", kept("Ada's words"));
    const desk = deskOf("ada", true);
    await desk.restoreAll(() => purchase);
    const draft = desk.draft(purchase);
    expect(draft.view()).toMatchObject({ text: "", state: "idle" });
    draft.type("An admin's words");
    expect([...device.kept]).toEqual([["ada:one", kept("Ada's words")]]);
  } finally {
    vi.useRealTimers();
  }
});
