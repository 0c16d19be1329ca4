/**
 * Phones that receive notifications in tests: a browser subscribes without a push service, and a tap opens a
 * page.
 */
import { runInNewContext } from "node:vm";

import type { PushedMessage } from "../stand-ins/push-stand-in.ts";
import type { BrowserFixture } from "./browser-fixture.ts";

/** A test browser's subscription. Its own push service does not exist on this machine. */
type FakeSubscription = { endpoint: string; p256dh: string; auth: string };

/** Runs in the page: grants the permission and subscribes with the fake. */
export function subscribeAs({ endpoint, ...keys }: FakeSubscription): void {
  const subscription = {
    endpoint,
    unsubscribe: async () => localStorage.removeItem("subscribed"),
    getKey: (name: "p256dh" | "auth") =>
      Uint8Array.from(atob(keys[name].replaceAll("-", "+").replaceAll("_", "/")), (sign) =>
        sign.codePointAt(0)!,
      ).buffer,
  };
  // A headless browser has no permission to show notifications.
  Object.defineProperty(Notification, "permission", { get: () => "granted", configurable: true });
  Notification.requestPermission = async () => "granted";
  PushManager.prototype.subscribe = async () => {
    localStorage.setItem("subscribed", "");
    return subscription as unknown as PushSubscription;
  };
  PushManager.prototype.getSubscription = async () =>
    localStorage.getItem("subscribed") === null ? null : (subscription as unknown as PushSubscription);
}

/** Runs in the page: the browser loses its subscription, as after a reset of its push service. */
export const loseSubscription = () => localStorage.removeItem("subscribed");

/**
 * Sends the application's own service worker a push message as the browser would, and taps the notification.
 * A headless browser cannot show or open notifications, so Node replaces the service worker's environment.
 *
 * @returns the notification, and the page that the tap opened
 */
export async function tapNotification({ product }: BrowserFixture, data: PushedMessage["data"]) {
  type ShownNotification = { title: string; body?: string; data?: unknown };
  type Handler = (event: object) => void;
  const handlers = new Map<string, Handler>();
  const shown: ShownNotification[] = [];
  const opened: string[] = [];
  const self = {
    location: { origin: product.url },
    navigator: {},
    addEventListener: (name: string, handler: Handler) => handlers.set(name, handler),
    registration: {
      showNotification: async (title: string, options: Omit<ShownNotification, "title">) =>
        void shown.push({ title, ...options }),
    },
    clients: { openWindow: async (url: string) => void opened.push(url) },
  };
  const script = await (await fetch(`${product.url}/app-worker.js`)).text();
  runInNewContext(script, { self, URL });
  const dispatchEvent = async (name: string, what: object) => {
    const waits: Promise<unknown>[] = [];
    handlers.get(name)!({ ...what, waitUntil: (promise: Promise<unknown>) => waits.push(promise) });
    await Promise.all(waits);
  };
  await dispatchEvent("push", { data: { json: () => data } });
  await dispatchEvent("notificationclick", { notification: { close() {}, data: shown[0]?.data } });
  return { shown, opened };
}
