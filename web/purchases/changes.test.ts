import { expect, test, vi } from "vitest";

import { useFakeDevice } from "../../testing/device.ts";
import type { Change } from "./change-queue.ts";
import { eventually } from "../../testing/eventually.ts";

const device = useFakeDevice(async () => ({
  ...(await import("./changes.ts")),
  ...(await import("./refusals.ts")),
  ...(await import("../auth/current-user.ts")),
  ...(await import("../lib/clear-encrypted-store.ts")),
  ...(await import("../lib/query-client.ts")),
  ...(await import("../lib/encrypted-store.ts")),
}));

const changeOf = (userId: string, changeKey: string): Change => ({
  purchaseId: "one",
  userId,
  madeAt: 1,
  update: { salesStage: "called", changeKey },
});

const nameOf = ({ update }: Change) => `change:0000000000000001:${update.changeKey}`;

async function storeChanges(...changes: Change[]) {
  for (const change of changes) await device.modules.storeEncrypted(nameOf(change), change);
}

test("opening the dashboard restores the user's changes and deletes another user's", async () => {
  const { STORED_PIPELINE, storeEncrypted, readStoredChanges, readEncrypted } = device.modules;
  const [theirs, mine] = [changeOf("ada", "a"), changeOf("bob", "b")];
  await storeChanges(theirs, mine);
  await storeEncrypted(STORED_PIPELINE, { user: { id: "ada" } });
  expect(await readStoredChanges("bob")).toEqual([mine]);
  expect([...device.stored.keys()]).toEqual([nameOf(mine)]);
  await storeEncrypted(STORED_PIPELINE, { user: { id: "bob" } });
  expect(await readStoredChanges("bob")).toEqual([mine]);
  expect(await readEncrypted(STORED_PIPELINE)).toEqual({ user: { id: "bob" } });
});

test("an ended session deletes the leads but keeps pending changes for their author", async () => {
  const {
    recheckCurrentUser,
    STORED_PIPELINE,
    storeEncrypted,
    makeQueryClient,
    CURRENT_USER_KEY,
    readStoredChanges,
  } = device.modules;
  const client = makeQueryClient();
  client.setQueryData(CURRENT_USER_KEY, { id: "ada", isImpersonating: false });
  const waiting = changeOf("ada", "a");
  await storeChanges(waiting);
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
  expect(assign).toHaveBeenCalledWith("/login?ended");
  expect([...device.stored.keys()]).toEqual([nameOf(waiting)]);
  expect(await readStoredChanges("ada")).toEqual([waiting]);
});

test("sends changes with their author's id, and checks the session after a 401", async () => {
  const {
    recheckCurrentUser,
    createChange: make,
    getChangeQueue,
    makeQueryClient,
    CURRENT_USER_KEY,
  } = device.modules;
  const client = makeQueryClient();
  client.setQueryData(CURRENT_USER_KEY, { id: "ada", isImpersonating: false });
  const sent: { path: string; body: unknown }[] = [];
  const problem = { title: "", status: 401, detail: "", code: "unauthenticated" };
  const requestReceived = Promise.withResolvers<void>();
  vi.stubGlobal("location", { pathname: "/dashboard", origin: "https://naturestrip.test", search: "" });
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
    const queue = getChangeQueue(client);
    const isLate = Promise.withResolvers<void>();
    queue.subscribe(() => queue.isLate("one") && isLate.resolve());
    void queue.add(make(client, "one", { salesStage: "called", changeKey: "k" }));
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
  const { createChange: make, makeQueryClient, CURRENT_USER_KEY, readStoredChanges } = device.modules;
  const client = makeQueryClient();
  client.setQueryData(CURRENT_USER_KEY, { id: "ada", isImpersonating: false });
  const ahead = Date.now() + 3_600_000;
  await storeChanges({ ...changeOf("ada", "first"), madeAt: ahead });
  await readStoredChanges("ada");
  const second = make(client, "one", { salesStage: "quote_sent", changeKey: "second" });
  expect(second.madeAt).toBeGreaterThan(ahead);
});

test("a clock that was ahead does not log a call in the future", async () => {
  const { sendChange } = device.modules;
  const sent: { at?: number }[] = [];
  vi.stubGlobal("location", { pathname: "/dashboard", origin: "https://naturestrip.test", search: "" });
  vi.stubGlobal("fetch", async (_: unknown, init?: RequestInit) => {
    sent.push(JSON.parse(String(init?.body)) as { at?: number });
    return Response.json({});
  });
  const update = {
    changeKey: "k",
    contact: { outcome: "texted", entryKey: "k" } as const,
    tries: 1,
    before: { tries: 0, salesStage: "called" } as const,
  };
  const early = { ...changeOf("ada", "k"), madeAt: 5, update };
  await sendChange(early, true);
  await sendChange({ ...early, madeAt: Date.now() + 3_600_000 }, true);
  expect(sent[0]!.at).toBe(5);
  expect(sent[1]!.at).toBeLessThanOrEqual(Date.now());
});

test("keeps a refused change until its refusal is stored or dismissed", async () => {
  const {
    createChange: make,
    getChangeQueue,
    makeQueryClient,
    CURRENT_USER_KEY,
    readStoredChanges,
    getRefusals,
  } = device.modules;
  const problem = { title: "", status: 409, detail: "Someone has moved it.", code: "stage_changed" };
  vi.stubGlobal("location", { pathname: "/dashboard", origin: "https://naturestrip.test", search: "" });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(problem), { status: 409 })));
  const windowOf = () => {
    const client = makeQueryClient();
    client.setQueryData(CURRENT_USER_KEY, { id: "ada", isImpersonating: false });
    return client;
  };
  const first = windowOf();
  const change = make(first, "one", { salesStage: "called", changeKey: "k" });
  const name = `change:${String(change.madeAt).padStart(16, "0")}:k`;
  await device.modules.storeEncrypted(name, change);
  device.isFull = true;
  await expect(getChangeQueue(first).add(change, true)).rejects.toThrow("409");
  expect(getRefusals(first).refusals()).toHaveLength(1);

  // The page closes, and storage has room again.
  device.isFull = false;
  const next = windowOf();
  const [left] = await readStoredChanges("ada");
  expect(left).toEqual(change);
  await expect(getChangeQueue(next).add(left!, true)).rejects.toThrow("409");
  const refused = name.replace("change", "refused");
  await eventually(() => expect([...device.stored.keys()]).toEqual([refused]));
  const last = windowOf();
  await getRefusals(last).restore("ada");
  expect(getRefusals(last).refusals()).toMatchObject([{ key: "k", why: "Someone has moved it." }]);
  getRefusals(last).dismiss();
  await eventually(() => expect(device.stored.size).toBe(0));
});
