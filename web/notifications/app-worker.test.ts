/** The service worker's own part in notifications, run outside a browser. */
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";

import { expect, test } from "vitest";

import { ROOT } from "../../testing/tools.ts";

const SUBSCRIPTION = { endpoint: "https://push.example/2", keys: { p256dh: "B2", auth: "a2" } };
const subscription = { toJSON: () => ({ ...SUBSCRIPTION, expirationTime: null }) };

/** Dispatches `pushsubscriptionchange`. Returns the requests of the worker, and how it subscribed. */
async function changeSubscription(event: object) {
  const handlers = new Map<string, (event: object) => void>();
  const sent: { path: string; body: unknown }[] = [];
  const subscribed: unknown[] = [];
  const subscribe = async (options: unknown) => (subscribed.push(options), subscription);
  const self = {
    location: { origin: "https://naturestrip.test" },
    addEventListener: (name: string, handler: (event: object) => void) => handlers.set(name, handler),
    registration: { pushManager: { subscribe } },
  };
  const fetch = async (path: string, { body }: { body: string }) =>
    void sent.push({ path, body: JSON.parse(body) });
  runInNewContext(readFileSync(`${ROOT}public/app-worker.js`, "utf8"), { self, fetch });
  const waits: Promise<unknown>[] = [];
  handlers.get("pushsubscriptionchange")!({
    ...event,
    waitUntil: (promise: Promise<unknown>) => waits.push(promise),
  });
  await Promise.all(waits);
  return { sent, subscribed };
}

const STORED = [
  { path: "/api/notifications/devices", body: { endpoint: SUBSCRIPTION.endpoint, ...SUBSCRIPTION.keys } },
];

test("a subscription that the browser replaced is stored", async () => {
  expect(await changeSubscription({ newSubscription: subscription })).toEqual({
    sent: STORED,
    subscribed: [],
  });
});

test("a subscription that expired is renewed with the same key, and stored", async () => {
  const oldSubscription = { options: { applicationServerKey: "key" } };
  const { sent, subscribed } = await changeSubscription({ oldSubscription, newSubscription: null });
  expect(sent).toEqual(STORED);
  expect(subscribed).toEqual([{ userVisibleOnly: true, applicationServerKey: "key" }]);
});

test("without the old key, nothing is sent: the application subscribes when it is next opened", async () => {
  expect(await changeSubscription({})).toEqual({ sent: [], subscribed: [] });
});
