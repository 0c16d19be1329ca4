import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { ApiError } from "../lib/api.ts";
import { NOTES_AUTOSAVE_MS } from "../../contract/notes.ts";
import { type OutboxEntry, type NotesEntry, rebaseNotes, retypeNotes, storageName } from "./entries.ts";
import { Outbox } from "./outbox.ts";

function problem(status: number, code: string) {
  return new ApiError(status, "", JSON.stringify({ title: "No", status, detail: "No.", code }));
}

const PORTAL = "<!doctype html><title>Sign in to this network</title>";

/**
 * Creates an outbox with a fake server and a fake device. `down`: offline. `failing`: purchases that the server fails
 * on.
 */
function makeOutbox() {
  const fakes = {
    down: false,
    failing: new Set<string>(),
    /** Purchases with changes that a proxy rejects. */
    blockedByProxy: new Set<string>(),
    refused: new Set<string>(),
    /** Response to every request, from a proxy or from the server; null for normal responses. */
    answer: null as ApiError | null,
    arrived: [] as string[],
    sent: [] as [key: string, isLate: boolean][],
    kept: [] as string[],
    full: false,
  };
  const outbox = new Outbox<string>({
    send: async ({ purchaseId, id }, { isLate }) => {
      fakes.sent.push([id, isLate]);
      const { down } = fakes;
      await Promise.resolve();
      if (down) throw new TypeError("offline");
      if (fakes.answer) throw fakes.answer;
      if (fakes.blockedByProxy.has(purchaseId)) throw new ApiError(403, "", PORTAL);
      if (fakes.failing.has(purchaseId)) throw problem(503, "too_busy");
      if (fakes.refused.has(purchaseId)) throw problem(409, "stage_changed");
      fakes.arrived.push(id);
      return `saved ${id}`;
    },
    rebase,
    store: async (entry) => {
      if (!fakes.full) fakes.kept.push(shortName(storageName(entry)));
      return !fakes.full;
    },
    remove: async (names) => {
      const gone = new Set(names.map(shortName));
      fakes.kept = fakes.kept.filter((name) => !gone.has(name));
    },
  });
  return { fakes, outbox };
}

/** For outboxes without notes. */
const rebase = (typed: NotesEntry) => typed;

/** Returns a storage name without its time: "a" for a waiting entry, "refused a" for a refused one. */
const shortName = (name: string) => name.replace(/^change:\d+:/, "").replace(/^refused:\d+:/, "refused ");

const entry = (id: string, purchaseId = "one"): OutboxEntry => ({
  kind: "fields",
  id,
  purchaseId,
  userId: "user",
  madeAt: 1,
  body: { salesStage: "called" },
  base: null,
});

const settled = (promise: Promise<unknown>) =>
  Promise.race([
    promise.then(
      () => "saved",
      () => "refused",
    ),
    Promise.resolve("waiting"),
  ]);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Flushes pending promises and zero-delay timers. */
const flushPromises = () => vi.advanceTimersByTimeAsync(0);

test("a change rejected by a proxy does not block others", async () => {
  const { fakes, outbox } = makeOutbox();
  fakes.blockedByProxy.add("one");
  const blockedByProxy = outbox.add(entry("a"));
  const other = outbox.add(entry("b", "two"));
  expect(await other).toBe("saved b");
  expect(await settled(blockedByProxy)).toBe("waiting");
  expect(fakes.arrived).toEqual(["b"]);
  expect(fakes.kept).toEqual(["a"]);
});

test("stores a change, sends it, and deletes it once saved", async () => {
  const { fakes, outbox } = makeOutbox();
  const saved = outbox.add(entry("a"));
  expect(fakes.kept).toEqual(["a"]);
  expect(await saved).toBe("saved a");
  expect(fakes).toMatchObject({ kept: [], sent: [["a", false]] });
  expect(outbox.isLate("one")).toBe(false);
});

test("offline changes are stored and later sent once each, in order", async () => {
  const { fakes, outbox } = makeOutbox();
  fakes.down = true;
  const first = outbox.add(entry("a"));
  await flushPromises();
  const others = [outbox.add(entry("b", "two")), outbox.add(entry("c"))];
  await flushPromises();
  expect([outbox.getStatus().late, outbox.isLate("one"), outbox.isLate("two")]).toEqual([3, true, true]);
  expect(fakes.kept).toEqual(["a", "b", "c"]);
  expect(await settled(first)).toBe("waiting");

  fakes.down = false;
  outbox.flush();
  outbox.flush();
  await Promise.all([first, ...others]);
  expect(fakes).toMatchObject({ arrived: ["a", "b", "c"], kept: [] });
  expect(outbox.getStatus().late).toBe(0);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(fakes.arrived).toEqual(["a", "b", "c"]);
});

test("retries with backoff, at most a minute apart", async () => {
  const { fakes, outbox } = makeOutbox();
  fakes.down = true;
  const saved = outbox.add(entry("a"));
  for (const [tries, waitMs] of [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000].entries()) {
    await vi.advanceTimersByTimeAsync(waitMs - 1);
    expect(fakes.sent).toHaveLength(tries + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(fakes.sent).toHaveLength(tries + 2);
  }
  fakes.down = false;
  await vi.runAllTimersAsync();
  expect(await saved).toBe("saved a");
  // Each retry warns the server that another user may have changed the same fields.
  const [first, ...retries] = fakes.sent.map(([, isLate]) => isLate);
  expect([first, new Set(retries)]).toEqual([false, new Set([true])]);
});

test("a flush during a failing request sends once more", async () => {
  const { fakes, outbox } = makeOutbox();
  fakes.down = true;
  const saved = outbox.add(entry("a"));
  fakes.down = false;
  outbox.flush();
  expect(await saved).toBe("saved a");
});

test("reports and drops a refused change, then sends the next one", async () => {
  const { fakes, outbox } = makeOutbox();
  fakes.refused.add("one");
  const answers = [outbox.add(entry("a")), outbox.add(entry("b", "two"))].map((sent) =>
    sent.catch((error: ApiError) => error.status),
  );
  expect(await Promise.all(answers)).toEqual([409, "saved b"]);
  expect(fakes.kept).toEqual([]);
});

test.each([
  ["the session has ended", problem(401, "unauthenticated")],
  ["the user must choose a password first", problem(403, "must_change_password")],
  ["the request body was incomplete", problem(400, "body_incomplete")],
  ["a network's login page", new ApiError(401, "", PORTAL)],
  ["a proxy's 404", new ApiError(404, "", PORTAL)],
  ["a proxy's JSON response", new ApiError(409, "", '{"detail":"No."}')],
])("keeps a change and sends it later: %s", async (_, answer) => {
  const { fakes, outbox } = makeOutbox();
  fakes.answer = answer;
  const saved = [outbox.add(entry("a")), outbox.add(entry("b"))];
  await flushPromises();
  expect(await settled(saved[0]!)).toBe("waiting");
  expect(fakes.kept).toEqual(["a", "b"]);
  expect(outbox.isLate("one")).toBe(true);
  fakes.answer = null;
  outbox.flush();
  expect(await Promise.all(saved)).toEqual(["saved a", "saved b"]);
  expect(fakes.kept).toEqual([]);
});

test("sends no other changes after the session ended", async () => {
  const { fakes, outbox } = makeOutbox();
  fakes.answer = problem(401, "unauthenticated");
  void outbox.add(entry("a"));
  void outbox.add(entry("b", "two"));
  await flushPromises();
  expect(fakes.sent.map(([key]) => key)).toEqual(["a"]);
});

test("keeps a late refusal in the list, but not an immediate one", async () => {
  const { fakes, outbox } = makeOutbox();
  fakes.refused.add("one");
  await expect(outbox.add(entry("a"))).rejects.toThrow("409");
  expect([outbox.entries(), fakes.kept]).toEqual([[], []]);
  fakes.down = true;
  const late = outbox.add(entry("b"));
  await flushPromises();
  fakes.down = false;
  outbox.flush();
  await expect(late).rejects.toThrow("409");
  expect(outbox.entries()).toMatchObject([{ id: "b", error: "No." }]);
  await flushPromises();
  expect(fakes.kept).toEqual(["refused b"]);
  // The refusal does not count as late, and is not sent again.
  expect([outbox.isRefused("b"), outbox.isLate("one"), outbox.getStatus().late]).toEqual([true, false, 0]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(fakes.sent).toHaveLength(3);
});

test("a purchase that the server cannot save does not block others, and its changes stay in order", async () => {
  const { fakes, outbox } = makeOutbox();
  fakes.failing.add("one");
  const mine = [outbox.add(entry("a")), outbox.add(entry("b"))];
  expect(await outbox.add(entry("c", "two"))).toBe("saved c");
  await flushPromises();
  expect(fakes.sent.map(([key]) => key)).toEqual(["a", "c"]);
  fakes.failing.clear();
  outbox.flush();
  await Promise.all(mine);
  expect(fakes.arrived).toEqual(["c", "a", "b"]);
});

test("marks a change as late after a slow response", async () => {
  const answer = Promise.withResolvers<string>();
  const outbox = new Outbox<string>({
    send: () => answer.promise,
    rebase,
    store: async () => true,
    remove: async () => {},
  });
  const notified = vi.fn<() => void>();
  outbox.subscribe(notified);
  const saved = outbox.add(entry("a"));
  await flushPromises();
  notified.mockClear();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([notified.mock.calls.length, outbox.isLate("one")]).toEqual([1, true]);
  answer.resolve("saved");
  await saved;
  expect(outbox.isLate("one")).toBe(false);
});

test("a change from an earlier visit is late at once and is not stored again", async () => {
  const { fakes, outbox } = makeOutbox();
  fakes.kept = ["a"];
  const saved = outbox.add(entry("a"), true);
  expect(outbox.restore([entry("a")])).toEqual([]);
  // An earlier visit already reported this change as late.
  expect([outbox.isLate("one"), outbox.getStatus().late]).toEqual([true, 0]);
  await saved;
  expect(fakes).toMatchObject({ sent: [["a", true]], kept: [] });
});

test("finishing sends pending changes and returns the unsaved ones in time", async () => {
  const { fakes, outbox } = makeOutbox();
  fakes.down = true;
  void outbox.add(entry("a"));
  void outbox.add(entry("b"));
  await flushPromises();
  const early = outbox.drain(3_000);
  await vi.advanceTimersByTimeAsync(3_000);
  await early;
  expect(outbox.entries().map(({ id }) => id)).toEqual(["a", "b"]);
  // Finishing does not wait for the next retry, many seconds away.
  await vi.advanceTimersByTimeAsync(60_000);
  fakes.down = false;
  const started = Date.now();
  await outbox.drain(3_000);
  expect([outbox.entries(), Date.now()]).toEqual([[], started]);
  expect(fakes.arrived).toEqual(["a", "b"]);
  await outbox.drain(3_000);
  expect(Date.now()).toBe(started);
});

test("limits the number of pending changes, but takes any notes", async () => {
  const { fakes, outbox } = makeOutbox();
  fakes.down = true;
  for (let i = 0; i < 500; i += 1) void outbox.add(entry(`${i}`));
  await expect(outbox.add(entry("one more"))).rejects.toThrow("Too many");
  expect(fakes.kept).toHaveLength(500);
  outbox.type({ ...entry("n"), kind: "notes", body: "Typed", base: { text: "", version: 0 } }, 1_000);
  expect(outbox.notesOf("one")?.body).toBe("Typed");
});

test("counts a change as stored only after the device has stored it", async () => {
  const { fakes, outbox } = makeOutbox();
  const written = Promise.withResolvers<boolean>();
  fakes.down = true;
  const slow = new Outbox<string>({
    send: () => Promise.reject(new TypeError("offline")),
    rebase,
    store: () => written.promise,
    remove: async () => {},
  });
  void slow.add(entry("a"));
  await flushPromises();
  expect(slow.getStatus()).toEqual({ late: 1, beingStored: 1, notStored: 0 });
  const notified = vi.fn<() => void>();
  slow.subscribe(notified);
  written.resolve(true);
  await flushPromises();
  expect([notified.mock.calls.length, slow.getStatus()]).toEqual([
    1,
    { late: 1, beingStored: 0, notStored: 0 },
  ]);

  fakes.full = true;
  const saved = outbox.add(entry("b"));
  await flushPromises();
  expect(outbox.getStatus()).toEqual({ late: 1, beingStored: 0, notStored: 1 });
  // Storage has room again.
  fakes.full = false;
  outbox.retryStoring();
  await flushPromises();
  expect([outbox.getStatus().notStored, fakes.kept]).toEqual([0, ["b"]]);
  fakes.down = false;
  outbox.flush();
  expect(await saved).toBe("saved b");
  expect([outbox.getStatus(), fakes.kept]).toEqual([{ late: 0, beingStored: 0, notStored: 0 }, []]);
});

test("a refusal from an earlier visit is listed, not sent, and gone once dismissed", async () => {
  const { fakes, outbox } = makeOutbox();
  fakes.kept = ["a", "refused a", "b"];
  // The earlier page stored the refusal, and closed before it deleted the change.
  const refused = { ...entry("a"), error: "Someone has moved it." };
  expect(outbox.restore([entry("a"), refused, entry("b", "two")])).toEqual([entry("b", "two")]);
  expect(outbox.entries()).toEqual([refused]);
  expect(await outbox.dismiss()).toEqual(["a"]);
  expect([outbox.entries(), fakes.kept, fakes.sent]).toEqual([[], ["b"], []]);
  expect(outbox.restore([refused])).toEqual([]);
  expect(outbox.entries()).toEqual([]);
});

test("does not list a refusal that another window has dismissed", async () => {
  const { fakes, outbox } = makeOutbox();
  fakes.refused.add("one");
  fakes.kept = ["a"];
  await outbox.dismiss(["a"]);
  await expect(outbox.add(entry("a"), true)).rejects.toThrow("409");
  expect([outbox.entries(), fakes.kept]).toEqual([[], []]);
});

test("entries of an earlier visit are sent before newer ones", async () => {
  const { fakes, outbox } = makeOutbox();
  fakes.down = true;
  const newer = outbox.add({ ...entry("b"), madeAt: 2 });
  await flushPromises();
  const older = outbox.add(entry("a"), true);
  expect(outbox.entries().map(({ id }) => id)).toEqual(["a", "b"]);
  await flushPromises();
  fakes.down = false;
  outbox.flush();
  await Promise.all([older, newer]);
  expect(fakes.arrived).toEqual(["a", "b"]);
});

test("recognises the live socket's report of its own change", async () => {
  const { outbox } = makeOutbox();
  expect(outbox.isOwnEcho("one")).toBe(false);
  await outbox.add(entry("a"));
  expect([outbox.isOwnEcho("one"), outbox.isOwnEcho("two")]).toEqual([true, false]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(outbox.isOwnEcho("one")).toBe(false);
});

type ServerNotes = { text: string; version: number };

const PROBLEM = { title: "", detail: "" };

function conflict({ text, version }: ServerNotes) {
  const notes = { text, version, by: "Terry Team" };
  return new ApiError(409, "", JSON.stringify({ ...PROBLEM, status: 409, code: "notes_conflict", notes }));
}

/** Opens a window with a purchase's notes, a fake server and a fake device. */
function openNotes(notes: ServerNotes = { text: "", version: 0 }) {
  const fakes = {
    notes,
    kept: null as NotesEntry | null,
    saves: 0,
    keepalives: 0,
    isDown: false,
    /** Response to every save; null for normal responses. */
    answer: null as ApiError | null,
  };
  const openWindow = () => {
    const outbox = new Outbox<{ salesNotes: string | null; notesVersion: number }>({
      send: async (sent, { isKeepalive }) => {
        fakes.saves += 1;
        if (isKeepalive) fakes.keepalives += 1;
        const { isDown } = fakes;
        await Promise.resolve();
        if (isDown) throw new TypeError("offline");
        if (fakes.answer) throw fakes.answer;
        const { body, base } = sent as NotesEntry;
        if (base.version !== fakes.notes.version) throw conflict(fakes.notes);
        fakes.notes = { text: body, version: base.version + 1 };
        return { salesNotes: body || null, notesVersion: fakes.notes.version };
      },
      rebase: rebaseNotes,
      store: async (stored) => {
        fakes.kept = stored as NotesEntry;
        return true;
      },
      remove: async () => {
        fakes.kept = null;
      },
    });
    /** Types over the notes, like the field does. */
    const type = (text: string, delayMs = NOTES_AUTOSAVE_MS) => {
      const started: NotesEntry = { ...entry("n"), kind: "notes", body: "", base: fakes.notes };
      outbox.type(retypeNotes(outbox.notesOf("one") ?? started, text), delayMs);
    };
    return { outbox, type, state: () => outbox.stateOf("n") };
  };
  return { fakes, openWindow, ...openWindow() };
}

test("saves notes once, after typing stops", async () => {
  const { fakes, type, state } = openNotes();
  type("C");
  expect(state()).toBe("waiting");
  await vi.advanceTimersByTimeAsync(NOTES_AUTOSAVE_MS - 1);
  type("Call");
  await vi.advanceTimersByTimeAsync(NOTES_AUTOSAVE_MS - 1);
  expect(fakes.saves).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(fakes).toMatchObject({ saves: 1, notes: { text: "Call", version: 1 }, kept: null });
  expect(state()).toBeNull();
});

test("a change made while the user types notes does not send the notes early", async () => {
  const { fakes, outbox } = makeOutbox();
  outbox.type(
    { ...entry("n"), kind: "notes", body: "Ca", base: { text: "", version: 0 } },
    NOTES_AUTOSAVE_MS,
  );
  await outbox.add(entry("a"));
  expect(fakes.arrived).toEqual(["a"]);
  await vi.advanceTimersByTimeAsync(NOTES_AUTOSAVE_MS);
  expect(fakes.arrived).toEqual(["a", "n"]);
});

test("saves text typed during a save next", async () => {
  const { fakes, outbox, type, state } = openNotes();
  type("one");
  outbox.flush();
  expect(state()).toBe("sending");
  type("one, two");
  await vi.advanceTimersByTimeAsync(NOTES_AUTOSAVE_MS);
  expect(fakes.notes).toEqual({ text: "one, two", version: 2 });
});

test("saves text typed during a save at once when the field loses focus", async () => {
  const { fakes, outbox, type } = openNotes();
  type("one");
  outbox.flush();
  type("one, two");
  outbox.flush();
  await flushPromises();
  expect(fakes.notes).toEqual({ text: "one, two", version: 2 });
});

test("unsaved notes stay on the screen and on the device, and are no late change", async () => {
  const { fakes, outbox, type, state } = openNotes();
  fakes.isDown = true;
  type("gate code 12");
  await vi.advanceTimersByTimeAsync(NOTES_AUTOSAVE_MS);
  expect([state(), outbox.hasUnsavedNotes("one"), outbox.notesOf("one")?.body]).toEqual([
    "late",
    true,
    "gate code 12",
  ]);
  expect([outbox.isLate("one"), outbox.getStatus().late, outbox.changes()]).toEqual([false, 0, []]);
  expect(fakes.kept).toMatchObject({ body: "gate code 12" });
  fakes.isDown = false;
  outbox.flush();
  await vi.runAllTimersAsync();
  expect([state(), outbox.hasUnsavedNotes("one"), fakes.kept]).toEqual([null, false, null]);
});

test("after a failed requested save of notes, the next retry waits", async () => {
  const { fakes, outbox, type, state } = openNotes();
  fakes.isDown = true;
  type("gate code 12");
  outbox.flush();
  outbox.flush();
  await flushPromises();
  expect([fakes.saves, state()]).toEqual([2, "late"]);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(fakes.saves).toBe(2);
});

test("keeps notes that the server refuses, and sends them again only on request", async () => {
  const { fakes, outbox, type, state } = openNotes();
  fakes.answer = problem(404, "not_found");
  type("too late");
  await vi.runAllTimersAsync();
  expect({ saves: fakes.saves, state: state() }).toEqual({ saves: 1, state: "late" });
  expect(fakes.kept).toMatchObject({ body: "too late" });
  fakes.answer = null;
  outbox.flush();
  await flushPromises();
  expect(fakes.notes.text).toBe("too late");
});

test("a conflict of notes shows both texts and saves the user's choice", async () => {
  const { fakes, outbox, type, state } = openNotes();
  type("mine");
  fakes.notes = { text: "Terry's", version: 1 };
  await vi.advanceTimersByTimeAsync(NOTES_AUTOSAVE_MS);
  const texts = {
    body: "mine",
    base: { text: "", version: 0 },
    conflict: { text: "Terry's", version: 1, by: "Terry Team" },
  };
  expect(outbox.notesOf("one")).toMatchObject(texts);
  expect([state(), outbox.hasUnsavedNotes("one")]).toEqual(["conflict", true]);
  // It waits for the user. If this tab closes now, the next tab shows the conflict again.
  outbox.flush();
  await vi.runAllTimersAsync();
  expect(fakes.saves).toBe(1);
  expect(fakes.kept).toMatchObject(texts);
  type("Terry's\n\nmine", 0);
  await vi.runAllTimersAsync();
  expect(fakes.notes).toEqual({ text: "Terry's\n\nmine", version: 2 });
  expect([state(), fakes.kept]).toEqual([null, null]);
});

test("an unresolved conflict of notes returns in the next window", async () => {
  const { fakes, outbox, type, openWindow } = openNotes({ text: "Call", version: 1 });
  type("Call before noon");
  fakes.notes = { text: "Called, wants Friday", version: 2 };
  outbox.flush();
  await vi.runOnlyPendingTimersAsync();
  const next = openWindow();
  void next.outbox.add(fakes.kept!, true);
  await flushPromises();
  expect(next.state()).toBe("conflict");
  expect(next.outbox.notesOf("one")).toMatchObject({
    body: "Call before noon",
    base: { text: "Call" },
    conflict: { text: "Called, wants Friday" },
  });
});

test("saves notes from an earlier visit, or finds a conflict with newer notes", async () => {
  const { fakes, outbox } = openNotes({ text: "old", version: 3 });
  const stored: NotesEntry = {
    ...entry("n"),
    kind: "notes",
    body: "unsaved",
    base: { text: "old", version: 3 },
  };
  const saved = outbox.add(stored, true);
  expect(outbox.hasUnsavedNotes("one")).toBe(true);
  await saved;
  expect(fakes.notes).toEqual({ text: "unsaved", version: 4 });

  const late = openNotes({ text: "newer", version: 5 });
  void late.outbox.add(stored, true);
  await flushPromises();
  expect(late.outbox.notesOf("one")).toMatchObject({ body: "unsaved", conflict: { text: "newer" } });
});

test("notes are sent when the page closes, in a request that outlives it", async () => {
  const { fakes, outbox, type, state } = openNotes();
  fakes.isDown = true;
  type("gate code 12");
  outbox.flushNotesBeforeClose();
  // The page stayed open, so this window retries.
  await flushPromises();
  expect([fakes.saves, fakes.keepalives, state()]).toEqual([1, 1, "late"]);
  fakes.isDown = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect([fakes.notes.text, state()]).toEqual(["gate code 12", null]);
});

const photo = (id: string, purchaseId?: string): OutboxEntry => ({
  ...entry(id, purchaseId),
  kind: "photo",
  body: { of: "after", type: "image/jpeg", bytes: "" },
});

test("a photo on a slow link does not hold up changes, and photos are sent one after another", async () => {
  const { fakes, outbox } = makeOutbox();
  const first = outbox.add(photo("p"));
  const others = [outbox.add(photo("q", "two")), outbox.add(entry("a"))];
  expect(fakes.sent.map(([id]) => id)).toEqual(["p", "a"]);
  await Promise.all([first, ...others]);
  expect(fakes.arrived).toEqual(["p", "a", "q"]);
});

test("a photo that is not stored yet would be lost, also while it is sent on time", async () => {
  vi.stubGlobal("navigator", { onLine: true });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { fakes, outbox } = makeOutbox();
  fakes.full = true;
  const answers = [outbox.add(entry("a")), outbox.add(photo("p"))];
  expect(outbox.wouldLose()).toBe(true);
  await flushPromises();
  expect([await Promise.all(answers), outbox.wouldLose()]).toEqual([["saved a", "saved p"], false]);
});
