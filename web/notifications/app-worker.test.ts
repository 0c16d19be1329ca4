/** The service worker, run outside a browser: its own part in notifications, and pages without a connection. */
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

/** Opens a page without a connection. Returns where the worker sends the browser. */
async function openOffline(path: string) {
  const handlers = new Map<string, (event: object) => void>();
  const origin = "https://naturestrip.test";
  const self = {
    location: { origin },
    addEventListener: (name: string, handler: (event: object) => void) => handlers.set(name, handler),
  };
  const shell = new Response("stored page");
  const Redirecting = { redirect: (to: string) => to, error: () => "network error" };
  runInNewContext(readFileSync(`${ROOT}public/app-worker.js`, "utf8"), {
    self,
    URL,
    Response: Redirecting,
    fetch: async () => {
      throw new TypeError("Failed to fetch");
    },
    caches: { match: async () => shell },
  });
  let answer: unknown;
  handlers.get("fetch")!({
    request: { method: "GET", mode: "navigate", url: origin + path },
    respondWith: (promise: unknown) => {
      answer = promise;
    },
  });
  const found = await answer;
  return found === shell ? "the stored page" : found;
}

// The worker's scope is /dashboard, so it receives no other page.
test("a dashboard page opened without a connection keeps its query, to which the stored page returns", async () => {
  expect(await openOffline("/dashboard?tab=called&lead=p1")).toBe("/dashboard/offline?tab=called&lead=p1");
  expect(await openOffline("/dashboard/offline?tab=called")).toBe("the stored page");
});
