import { expect, onTestFinished, test, vi } from "vitest";

import { useFakeDevice } from "../../testing/device.ts";
import { makeQueryClient } from "../lib/query-client.ts";
import type { Change } from "./change-queue.ts";
import { eventually } from "../../testing/eventually.ts";

const device = useFakeDevice(async () => ({
  ...(await import("./refusals.ts")),
  ...(await import("../lib/api.ts")),
}));

const changeKey = "key";
const contact = (outcome: "no_answer" | "texted"): Change["update"] => ({
  changeKey,
  contact: { outcome, entryKey: changeKey },
  tries: 1,
  before: { tries: 0, salesStage: "called" },
});

test.each<[string, Change["update"]]>([
  ["Stage “Quote sent”", { changeKey, salesStage: "quote_sent" }],
  ["Stage back to “Called”", { changeKey, salesStage: "called", undoes: "quote_sent" }],
  ["Payment $240.50", { changeKey, customerPaymentAmount: "240.50" }],
  ["Payment removed", { changeKey, customerPaymentAmount: null }],
  ["Next action “Call again”", { changeKey, nextActionAt: 1, nextActionNote: "Call again" }],
  ["Next action", { changeKey, nextActionAt: 1, nextActionNote: null }],
  ["Next action removed", { changeKey, nextActionAt: null }],
  ["Call, “No answer”", contact("no_answer")],
  ["Text message", contact("texted")],
])("describes a change: %s", (words, update) => expect(device.modules.describeUpdate(update)).toBe(words));

const problem = {
  title: "",
  status: 409,
  detail: "Someone has moved this lead.",
  code: "stage_changed",
};
const moved = () => new device.modules.ApiError(409, "", JSON.stringify(problem));

const changeOf = (key: string, more: Partial<Change> = {}): Change => ({
  purchaseId: "one",
  userId: "ada",
  madeAt: 1,
  update: { changeKey: key, salesStage: "quote_sent" },
  ...more,
});

const nameOf = (key: string, at = 1) => `refused:${String(at).padStart(16, "0")}:${key}`;

/** Returns the refusals that a new window shows to this user. */
async function nextWindow(userId: string) {
  const known = device.modules.getRefusals(makeQueryClient());
  await known.restore(userId);
  return known;
}

test("lists refused changes with lead and reason until dismissed", () => {
  const known = device.modules.getRefusals(makeQueryClient());
  void known.add(changeOf("a", { name: "Cora Conflict" }), moved(), true);
  const update = { changeKey: "b", nextActionAt: null };
  void known.add(changeOf("b", { madeAt: 2, update }), new device.modules.ApiError(404, "", ""), true);
  expect(known.refusals()).toMatchObject([
    {
      key: "a",
      name: "Cora Conflict",
      what: "Stage “Quote sent”",
      why: "Someone has moved this lead.",
    },
    { key: "b", name: "A lead", what: "Next action removed", why: "It couldn't be saved." },
  ]);
  expect([known.has("a"), known.has("c")]).toEqual([true, false]);
  known.dismiss();
  expect(known.refusals()).toEqual([]);
});

test("the next window shows an undismissed refusal once, and never a dismissed one", async () => {
  const { getRefusals } = device.modules;
  const known = getRefusals(makeQueryClient());
  expect(await known.add(changeOf("b", { madeAt: 2 }), moved(), true)).toBe(true);
  await known.add(changeOf("a"), moved(), true);
  await eventually(() => expect([...device.stored.keys()].toSorted()).toEqual([nameOf("a"), nameOf("b", 2)]));
  const next = await nextWindow("ada");
  expect(next.refusals()).toEqual(known.refusals());
  expect(next.refusals().map(({ key }) => key)).toEqual(["a", "b"]);
  // If the page closed before deleting the change, the next page sends it again.
  await next.add(changeOf("a"), moved(), true);
  expect(next.refusals()).toHaveLength(2);
  next.dismiss();
  await eventually(() => expect(device.stored.size).toBe(0));
  expect((await nextWindow("ada")).refusals()).toEqual([]);
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
  const { getRefusals } = device.modules;
  const [here, there] = [getRefusals(makeQueryClient()), getRefusals(makeQueryClient())];
  for (const known of [here, there]) {
    // The app calls this again for a page restored from the back/forward cache.
    known.syncDismissals();
    known.syncDismissals();
    await known.add(changeOf("a"), moved(), true);
  }
  await there.add(changeOf("b"), moved(), true);
  here.dismiss();
  await eventually(() => expect(there.refusals().map(({ key }) => key)).toEqual(["b"]));
  // Later the other window's queue gets the same refusal, and its page is restored.
  expect(await there.add(changeOf("a"), moved(), true)).toBe(true);
  await there.restore("ada");
  expect(there.refusals().map(({ key }) => key)).toEqual(["b"]);
  await eventually(() => expect([...device.stored.keys()]).toEqual([nameOf("b")]));
});

test("another user never sees refusals, which are unreadable without the key", async () => {
  const { countRefusals, getRefusals } = device.modules;
  const client = makeQueryClient();
  await getRefusals(client).add(changeOf("a"), moved(), true);
  expect(await countRefusals(client)).toBe(1);
  expect((await nextWindow("bob")).refusals()).toEqual([]);
  expect(device.stored.size).toBe(0);

  await getRefusals(client).add(changeOf("b"), moved(), true);
  expect([...device.stored.values()].map((stored) => JSON.stringify(stored)).join()).not.toContain("ada");
  device.cookies.clear();
  expect((await nextWindow("ada")).refusals()).toEqual([]);
  expect(device.stored.size).toBe(0);
});

test("an impersonating admin stores no refusals", async () => {
  const known = device.modules.getRefusals(makeQueryClient());
  expect(await known.add(changeOf("a"), moved(), false)).toBe(false);
  expect([known.has("a"), device.stored.size]).toEqual([true, 0]);
});
