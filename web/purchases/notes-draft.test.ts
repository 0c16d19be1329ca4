import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { NOTES_AUTOSAVE_MS } from "../../contract/notes.ts";
import { ApiError } from "../lib/api.ts";
import { type DeviceNotes, NotesDraft, type NotesStore, type ServerNotes } from "./notes-draft.ts";

function makeStore(notes: ServerNotes) {
  const server = { notes, kept: null as DeviceNotes | null, isDown: false, saves: 0 };
  const store: NotesStore = {
    save: async ({ text, version }) => {
      server.saves++;
      if (server.isDown) throw new TypeError("offline");
      if (version !== server.notes.version) throw conflict(server.notes);
      server.notes = { text, version: version + 1 };
      return server.notes;
    },
    storeOnDevice: (deviceNotes) => {
      server.kept = deviceNotes;
    },
  };
  return { server, store };
}

function conflict({ text, version }: ServerNotes) {
  const notes = { text, version, by: "Terry Team" };
  const problem = { title: "", status: 409, detail: "", code: "notes_conflict", notes };
  return new ApiError(409, "", JSON.stringify(problem));
}

function makeDraft(notes: ServerNotes = { text: "", version: 0 }) {
  const { server, store } = makeStore(notes);
  return { server, draft: new NotesDraft(notes, store) };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("saves notes once, after typing stops", async () => {
  const { server, draft } = makeDraft();
  draft.type("C");
  await vi.advanceTimersByTimeAsync(NOTES_AUTOSAVE_MS - 1);
  draft.type("Call");
  await vi.advanceTimersByTimeAsync(NOTES_AUTOSAVE_MS - 1);
  expect(server.saves).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(server).toMatchObject({ saves: 1, notes: { text: "Call", version: 1 }, kept: null });
  expect(draft.view().state).toBe("saved");
});

test("saves text typed during a save next", async () => {
  const { server, draft } = makeDraft();
  draft.type("one");
  draft.flush();
  draft.type("one, two");
  await vi.advanceTimersByTimeAsync(NOTES_AUTOSAVE_MS);
  expect(server.notes).toEqual({ text: "one, two", version: 2 });
});

test("saves text typed during a save at once when the field loses focus", async () => {
  const { server, draft } = makeDraft();
  draft.type("one");
  draft.flush();
  draft.type("one, two");
  draft.flush();
  await vi.advanceTimersByTimeAsync(0);
  expect(server.notes).toEqual({ text: "one, two", version: 2 });
});

test("unsaved notes stay on the screen and on the device", async () => {
  const { server, draft } = makeDraft();
  server.isDown = true;
  draft.type("gate code 12");
  await vi.advanceTimersByTimeAsync(NOTES_AUTOSAVE_MS);
  expect(draft.view()).toMatchObject({ text: "gate code 12", state: "failed" });
  expect(server.kept).toMatchObject({ text: "gate code 12" });
  server.isDown = false;
  draft.flush();
  await vi.runAllTimersAsync();
  expect(draft.view().state).toBe("saved");
});

test("retries at once if the connection returned during a failed save", async () => {
  const { server, store } = makeStore({ text: "", version: 0 });
  const { save } = store;
  const lost = Promise.withResolvers<never>();
  let tries = 0;
  const draft = new NotesDraft(server.notes, {
    ...store,
    save: (...sent) => (tries++ === 0 ? lost.promise : save(...sent)),
  });
  draft.type("gate code 12");
  draft.flush();
  draft.flush();
  lost.reject(new TypeError("offline"));
  await vi.advanceTimersByTimeAsync(0);
  expect(draft.view().state).toBe("saved");
  expect([tries, server.notes.text]).toEqual([2, "gate code 12"]);
});

test("after a failed requested save, the next retry waits", async () => {
  const { server, draft } = makeDraft();
  server.isDown = true;
  draft.type("gate code 12");
  draft.flush();
  draft.flush();
  await vi.advanceTimersByTimeAsync(0);
  expect([server.saves, draft.view().state]).toEqual([2, "failed"]);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(server.saves).toBe(2);
});

test("retries unsaved notes with backoff", async () => {
  const { server, draft } = makeDraft();
  server.isDown = true;
  draft.type("gate code 12");
  await vi.advanceTimersByTimeAsync(NOTES_AUTOSAVE_MS);
  for (const [tries, waitMs] of [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000].entries()) {
    expect(server.saves).toBe(tries + 1);
    await vi.advanceTimersByTimeAsync(waitMs - 1);
    expect(server.saves).toBe(tries + 1);
    await vi.advanceTimersByTimeAsync(1);
  }
  server.isDown = false;
  await vi.runAllTimersAsync();
  expect(server.notes.text).toBe("gate code 12");
  expect(draft.view().state).toBe("saved");
});

test.each([
  ["a network's login page", new ApiError(403, "", "<title>Sign in to this network</title>")],
  [
    "the end of the session",
    new ApiError(401, "", '{"title":"","status":401,"detail":"","code":"unauthenticated"}'),
  ],
])("retries after %s", async (_, answer) => {
  const { server, store } = makeStore({ text: "", version: 0 });
  const { save } = store;
  let isReached = false;
  const draft = new NotesDraft(server.notes, {
    ...store,
    save: (...sent) => (isReached ? save(...sent) : Promise.reject(answer)),
  });
  draft.type("gate code 12");
  draft.flush();
  await vi.advanceTimersByTimeAsync(0);
  expect(draft.view().state).toBe("failed");
  expect(server.kept).toMatchObject({ text: "gate code 12" });
  isReached = true;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(server).toMatchObject({ notes: { text: "gate code 12", version: 1 }, kept: null });
});

test("does not retry notes that the server refuses", async () => {
  const { store } = makeStore({ text: "", version: 0 });
  let saves = 0;
  const save = async () => {
    saves++;
    throw new ApiError(404, "", JSON.stringify({ title: "", status: 404, detail: "", code: "not_found" }));
  };
  const draft = new NotesDraft({ text: "", version: 0 }, { ...store, save });
  draft.type("too late");
  await vi.runAllTimersAsync();
  expect({ saves, state: draft.view().state }).toEqual({ saves: 1, state: "failed" });
});

test("a conflict shows both texts and saves the user's choice", async () => {
  const { server, draft } = makeDraft();
  server.notes = { text: "theirs", version: 1 };
  draft.type("mine");
  await vi.advanceTimersByTimeAsync(NOTES_AUTOSAVE_MS);
  expect(draft.view()).toEqual({
    text: "mine",
    state: "conflict",
    theirs: "theirs",
    by: "Terry Team",
    base: "",
  });
  // If this tab closes now, the next tab knows the base of our text and shows the conflict again.
  expect(server.kept).toEqual({ text: "mine", version: 0, base: "" });
  draft.resolve("theirs\n\nmine");
  await vi.runAllTimersAsync();
  expect(server.notes).toEqual({ text: "theirs\n\nmine", version: 2 });
});

test("an unresolved conflict returns in the next window", async () => {
  const { server, draft } = makeDraft({ text: "Call", version: 1 });
  draft.type("Call before noon");
  server.notes = { text: "Called, wants Friday", version: 2 };
  draft.flush();
  await vi.runOnlyPendingTimersAsync();
  expect(draft.view().state).toBe("conflict");
  draft.type("Call before noon, or text");

  const next = new NotesDraft(server.notes, makeStore(server.notes).store);
  next.restore(server.kept!);
  expect(next.view()).toMatchObject({
    state: "conflict",
    text: "Call before noon, or text",
    theirs: "Called, wants Friday",
    base: "Call",
  });
});

test("equal texts are no conflict", async () => {
  const { server, draft } = makeDraft();
  server.notes = { text: "same", version: 1 };
  draft.type("same");
  await vi.advanceTimersByTimeAsync(NOTES_AUTOSAVE_MS);
  expect(draft.view().state).toBe("saved");
});

test("a server update never replaces unsaved text", () => {
  const { draft } = makeDraft();
  draft.type("mine");
  draft.sync({ text: "theirs", version: 1 });
  expect(draft.view().text).toBe("mine");
});

test("saves text from an earlier visit, or shows a conflict with newer notes", async () => {
  const { server, draft } = makeDraft({ text: "old", version: 3 });
  draft.restore({ text: "unsaved", version: 3, base: "old" });
  await vi.advanceTimersByTimeAsync(NOTES_AUTOSAVE_MS);
  expect(server.notes).toEqual({ text: "unsaved", version: 4 });

  const late = makeDraft({ text: "newer", version: 5 }).draft;
  late.restore({ text: "unsaved", version: 3, base: "older" });
  const texts = { text: "unsaved", theirs: "newer", base: "older" };
  expect(late.view()).toEqual({ ...texts, state: "conflict", by: null });
});
