import { expect, onTestFinished, test, vi } from "vitest";

import { useFakeDevice } from "../../testing/device.ts";
import type { OutboxEntry } from "./entries.ts";
import type { PipelinePage, PurchasedLead } from "./purchases.ts";
import { eventually } from "../../testing/eventually.ts";

const device = useFakeDevice(async () => ({
  ...(await import("./use-outbox.ts")),
  ...(await import("./purchases.ts")),
  ...(await import("../auth/current-user.ts")),
  ...(await import("../lib/clear-encrypted-store.ts")),
  ...(await import("../lib/query-client.ts")),
  ...(await import("../lib/encrypted-store.ts")),
}));

const entryOf = (userId: string, id: string, more: Partial<OutboxEntry> = {}): OutboxEntry =>
  ({
    id,
    purchaseId: "one",
    userId,
    madeAt: 1,
    kind: "fields",
    body: { salesStage: "called" },
    base: { salesStage: "accepted_lead" },
    ...more,
  }) as OutboxEntry;

const nameOf = (id: string, prefix = "change:") => `${prefix}0000000000000001:${id}`;

async function storeEntries(...entries: OutboxEntry[]) {
  for (const entry of entries) await device.modules.storeEncrypted(nameOf(entry.id), entry);
}

/** Opens a window of this user. */
function windowOf(id: string, isImpersonating = false) {
  const { CURRENT_USER_KEY, getOutbox, makeQueryClient } = device.modules;
  const client = makeQueryClient();
  client.setQueryData(CURRENT_USER_KEY, { id, isImpersonating });
  return { client, outbox: getOutbox(client) };
}

const readStored = (id: string, isImpersonating = false) =>
  device.modules.readStoredEntries({ id, isImpersonating });

/** Opens a window, and restores what this user left on the device. @returns also the entries that still wait */
async function nextWindowOf(id: string) {
  const opened = windowOf(id);
  const waiting = opened.outbox.restore(await readStored(id));
  return { ...opened, waiting };
}

/** Makes the server refuse every change. */
function refuseChanges() {
  const problem = { title: "", status: 409, detail: "Someone has moved it.", code: "stage_changed" };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(problem), { status: 409 })));
}

test("opening the dashboard restores the user's changes and deletes another user's", async () => {
  const { STORED_PIPELINE, storeEncrypted, readEncrypted } = device.modules;
  const [theirs, mine] = [entryOf("ada", "a"), entryOf("bob", "b")];
  await storeEntries(theirs, mine);
  await storeEncrypted(nameOf("c", "refused:"), entryOf("ada", "c", { error: "No." }));
  const notes = { kind: "notes", body: "Ada's words", base: { text: "", version: 0 } } as const;
  await storeEncrypted(nameOf("n", "notes:"), entryOf("ada", "n", notes));
  const photo = { kind: "photo", body: { of: "after", type: "image/jpeg", bytes: "" } } as const;
  await storeEncrypted(nameOf("p", "photo:"), entryOf("ada", "p", photo as Partial<OutboxEntry>));
  await storeEncrypted(STORED_PIPELINE, { user: { id: "ada" } });
  expect(await readStored("bob")).toEqual([mine]);
  expect([...device.stored.keys()]).toEqual([nameOf("b")]);
  await storeEncrypted(STORED_PIPELINE, { user: { id: "bob" } });
  expect(await readStored("bob")).toEqual([mine]);
  expect(await readEncrypted(STORED_PIPELINE)).toEqual({ user: { id: "bob" } });
});

test("an ended session deletes the leads but keeps pending changes for their author", async () => {
  const { recheckCurrentUser, STORED_PIPELINE, storeEncrypted } = device.modules;
  const { client } = windowOf("ada");
  const waiting = entryOf("ada", "a");
  await storeEntries(waiting);
  await storeEncrypted(STORED_PIPELINE, { user: { id: "ada" } });
  const problem = { title: "", status: 401, detail: "", code: "unauthenticated" };
  const assign = vi.fn<(path: string) => void>();
  vi.stubGlobal("location", {
    pathname: "/dashboard",
    origin: "https://naturestrip.test",
    search: "",
    assign,
  });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(problem), { status: 401 })));
  vi.stubGlobal("addEventListener", (_: string, comeBack: () => void) => comeBack());
  await recheckCurrentUser(client);
  expect(assign).toHaveBeenCalledWith("/login?ended=ada&next=%2Fdashboard");
  expect([...device.stored.keys()]).toEqual([nameOf("a")]);
  expect(await readStored("ada")).toEqual([waiting]);
});

test("sends changes with their author's id, and checks the session after a 401", async () => {
  const { recheckCurrentUser } = device.modules;
  const { client, outbox } = windowOf("ada");
  const sent: { path: string; body: unknown }[] = [];
  const problem = { title: "", status: 401, detail: "", code: "unauthenticated" };
  const requestReceived = Promise.withResolvers<void>();
  vi.stubGlobal("fetch", async (input: string | URL, init?: RequestInit) => {
    const { pathname } = new URL(input);
    if (pathname === "/api/auth/me") {
      requestReceived.resolve();
      throw new TypeError("offline");
    }
    sent.push({ path: pathname, body: JSON.parse(String(init?.body)) });
    return new Response(JSON.stringify(problem), { status: 401 });
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const isLate = Promise.withResolvers<void>();
    outbox.subscribe(() => outbox.isLate("one") && isLate.resolve());
    void outbox.add(entryOf("ada", "k"));
    await Promise.all([requestReceived.promise, isLate.promise]);
    expect(sent).toEqual([
      {
        path: "/api/lead-purchases/one/sales-stage",
        body: { salesStage: "called", changeKey: "k", madeBy: "ada" },
      },
    ]);
    // Wait for this request, so that it does not run into the next test.
    await recheckCurrentUser(client);
  } finally {
    vi.useRealTimers();
  }
  // The window shows and sends the change before storing it.
  await eventually(() => expect(device.stored.size).toBe(1));
});

test("changes stay in order even if the clock was set back between visits", async () => {
  const { createEntry } = device.modules;
  const ahead = Date.now() + 3_600_000;
  await storeEntries(entryOf("ada", "first", { madeAt: ahead }));
  await readStored("ada");
  expect(createEntry(windowOf("ada").client, "one", "second").madeAt).toBeGreaterThan(ahead);
});

test("a late change names the values before it, and a clock that was ahead logs no call in the future", async () => {
  const { sendEntry } = device.modules;
  const late = { isLate: true, isKeepalive: false };
  const sent: { at?: number; was?: unknown }[] = [];
  vi.stubGlobal("fetch", async (_: unknown, init?: RequestInit) => {
    sent.push(JSON.parse(String(init?.body)) as { at?: number });
    return Response.json({});
  });
  await sendEntry(entryOf("ada", "k"), { isLate: false, isKeepalive: false });
  await sendEntry(entryOf("ada", "k"), late);
  expect(sent.map(({ was }) => was)).toEqual([undefined, { salesStage: "accepted_lead" }]);
  const call = entryOf("ada", "k", { kind: "contact", body: { outcome: "texted" }, madeAt: 5 });
  await sendEntry(call, late);
  await sendEntry({ ...call, madeAt: Date.now() + 3_600_000 }, late);
  expect(sent[2]).toEqual({ outcome: "texted", entryKey: "k", madeBy: "ada", at: 5 });
  expect(sent[3]!.at).toBeLessThanOrEqual(Date.now());
});

test("keeps a refused change until its refusal is stored or dismissed", async () => {
  const { countEntries, dismissRefusals } = device.modules;
  refuseChanges();
  const first = windowOf("ada");
  const change = entryOf("ada", "k");
  await storeEntries(change);
  device.isFull = true;
  await expect(first.outbox.add(change, true)).rejects.toThrow("409");
  expect(first.outbox.entries()).toMatchObject([{ error: "Someone has moved it." }]);
  // Writes are made in order, so storing the refusal has already failed.
  await device.modules.deleteEncrypted("nothing");
  // It counts as refused only, although the device still has it as waiting.
  expect(await countEntries(first.client)).toEqual({ waiting: 0, refused: 1 });

  // The page closes, and storage has room again.
  device.isFull = false;
  const next = await nextWindowOf("ada");
  expect(next.waiting).toEqual([change]);
  expect(await countEntries(next.client)).toEqual({ waiting: 1, refused: 0 });
  await expect(next.outbox.add(change, true)).rejects.toThrow("409");
  await eventually(() => expect([...device.stored.keys()]).toEqual([nameOf("k", "refused:")]));
  const last = await nextWindowOf("ada");
  expect(last.outbox.entries()).toMatchObject([{ id: "k", error: "Someone has moved it." }]);
  await dismissRefusals(last.client);
  expect(device.stored.size).toBe(0);
});

test("the next window shows an undismissed refusal once, in order of change, and never a dismissed one", async () => {
  refuseChanges();
  const first = windowOf("ada");
  const changes = [entryOf("ada", "b", { madeAt: 2 }), entryOf("ada", "a", { purchaseId: "two" })];
  await Promise.all(changes.map((change) => expect(first.outbox.add(change, true)).rejects.toThrow("409")));
  await eventually(() =>
    expect([...device.stored.keys()].every((name) => name.startsWith("refused:"))).toBe(true),
  );
  await eventually(() => expect(device.stored.size).toBe(2));
  const next = await nextWindowOf("ada");
  expect(next.waiting).toEqual([]);
  expect(next.outbox.entries().map(({ id }) => id)).toEqual(["a", "b"]);
  await device.modules.dismissRefusals(next.client);
  expect(device.stored.size).toBe(0);
  expect((await nextWindowOf("ada")).outbox.entries()).toEqual([]);
});

test("dismissing a refusal in one window dismisses it in all windows", async () => {
  const open: BroadcastChannel[] = [];
  vi.stubGlobal(
    "BroadcastChannel",
    class extends BroadcastChannel {
      constructor(name: string) {
        super(name);
        open.push(this);
      }
    },
  );
  onTestFinished(() => {
    for (const channel of open) channel.close();
  });
  refuseChanges();
  const [here, there] = [windowOf("ada"), windowOf("ada")];
  const refuse = ({ outbox }: typeof here, id: string) =>
    expect(outbox.add(entryOf("ada", id), true)).rejects.toThrow("409");
  for (const opened of [here, there]) {
    // The app calls this again for a page restored from the back/forward cache.
    device.modules.syncDismissals(opened.client);
    device.modules.syncDismissals(opened.client);
    await refuse(opened, "a");
  }
  await refuse(there, "b");
  await eventually(() => expect(device.stored.size).toBe(2));
  await device.modules.dismissRefusals(here.client);
  const refused = () => there.outbox.entries().map(({ id }) => id);
  await eventually(() => expect(refused()).toEqual(["b"]));
  // Later the other window gets the same refusal, and its page is restored.
  await refuse(there, "a");
  expect(there.outbox.restore(await readStored("ada"))).toEqual([]);
  expect(refused()).toEqual(["b"]);
  await eventually(() => expect([...device.stored.keys()]).toEqual([nameOf("b", "refused:")]));
});

test("another user never sees refusals, which are unreadable without the key", async () => {
  const { countEntries } = device.modules;
  refuseChanges();
  const first = windowOf("ada");
  await expect(first.outbox.add(entryOf("ada", "a"), true)).rejects.toThrow("409");
  await eventually(() => expect(device.stored.size).toBe(1));
  expect(await countEntries(first.client)).toEqual({ waiting: 0, refused: 1 });
  expect((await nextWindowOf("bob")).outbox.entries()).toEqual([]);
  expect(device.stored.size).toBe(0);

  await expect(first.outbox.add(entryOf("ada", "b"), true)).rejects.toThrow("409");
  await eventually(() => expect(device.stored.size).toBe(1));
  expect([...device.stored.values()].map((stored) => JSON.stringify(stored)).join()).not.toContain("ada");
  device.cookies.clear();
  expect((await nextWindowOf("ada")).outbox.entries()).toEqual([]);
  expect(device.stored.size).toBe(0);
});

test("an impersonating admin stores no refusals", async () => {
  refuseChanges();
  const { outbox } = windowOf("ada", true);
  await expect(outbox.add(entryOf("ada", "a"), true)).rejects.toThrow("409");
  expect([outbox.isRefused("a"), device.stored.size]).toEqual([true, 0]);
});

/** Types notes in a window. */
function typeNotes({ client, outbox }: ReturnType<typeof windowOf>, body: string) {
  const facts = device.modules.createEntry(client, "one", "n");
  outbox.type({ ...facts, kind: "notes", body, base: { text: "", version: 0 } }, 800);
}

/** Stops the timer that sends notes. */
function stopTimers() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

test("stores unsaved notes encrypted, and the next page restores them", async () => {
  stopTimers();
  typeNotes(windowOf("ada"), "Key under the third pot");
  await eventually(() => expect(device.stored.size).toBe(1));
  const [[name, stored] = ["", {}]] = device.stored;
  expect(name).toMatch(/^notes:\d{16}:n$/);
  expect(Object.keys(stored as object).toSorted()).toEqual(["bytes", "iv"]);
  expect(new TextDecoder().decode((stored as { bytes: ArrayBuffer }).bytes)).not.toContain("pot");
  expect((await nextWindowOf("ada")).waiting).toMatchObject([
    { kind: "notes", body: "Key under the third pot" },
  ]);
});

test("counts notes that wait in this window or on this device, each once", async () => {
  stopTimers();
  const opened = windowOf("ada");
  typeNotes(opened, "The gate sticks");
  await eventually(() => expect(device.stored.size).toBe(1));
  device.stored.set("notes:0000000000000002:m", "sealed");
  expect(await device.modules.countEntries(opened.client)).toEqual({ waiting: 2, refused: 0 });
});

test("an impersonating admin neither restores, deletes nor stores notes", async () => {
  stopTimers();
  const theirs = entryOf("ada", "n", { kind: "notes", body: "Ada's words", base: { text: "", version: 0 } });
  await device.modules.storeEncrypted(nameOf("n", "notes:"), theirs);
  expect(await readStored("ada", true)).toEqual([]);
  const opened = windowOf("ada", true);
  typeNotes(opened, "An admin's words");
  await eventually(() => expect(opened.outbox.hasUnstored()).toBe(true));
  expect([...device.stored.keys()]).toEqual([nameOf("n", "notes:")]);
  expect(await readStored("ada")).toEqual([theirs]);
});

/** Opens a window with a lead that has saved notes. */
function windowWithNotes() {
  const { buildPipeline, PURCHASES_KEY } = device.modules;
  const opened = windowOf("ada");
  const purchase = { id: "one", salesNotes: "old", notesVersion: 1 } as PurchasedLead;
  const page = { items: [purchase], counts: {}, cursor: null, serverNow: 1 } as unknown as PipelinePage;
  opened.client.setQueryData(PURCHASES_KEY, buildPipeline(page));
  return opened;
}

test("notes that arrive from another user do not replace typed text", () => {
  const { editPurchase } = device.modules;
  const opened = windowWithNotes();
  stopTimers();
  typeNotes(opened, "mine");
  editPurchase(opened.client, "one", (purchase) => ({
    ...purchase,
    salesNotes: "Call at noon",
    notesVersion: 2,
  }));
  expect(opened.outbox.notesOf("one")).toMatchObject({ body: "mine" });
});

test("equal texts are no conflict, and the lead shows the server's version", async () => {
  const { getCachedPurchase } = device.modules;
  const opened = windowWithNotes();
  const problem = {
    title: "",
    status: 409,
    detail: "",
    code: "notes_conflict",
    notes: { text: "The gate sticks", version: 2, by: "Terry Team" },
  };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(problem), { status: 409 })));
  stopTimers();
  typeNotes(opened, "The gate sticks");
  opened.outbox.flush();
  await eventually(() => expect(opened.outbox.notesOf("one")).toBeUndefined());
  expect(getCachedPurchase(opened.client, "one")).toMatchObject({
    salesNotes: "The gate sticks",
    notesVersion: 2,
  });
});
