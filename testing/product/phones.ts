/** Phones that ring in tests: how a browser without a push service subscribes, and what a tap on a notification opens. */
import { runInNewContext } from "node:vm";

import type { PushedMessage } from "../stand-ins/push-stand-in.ts";
import type { Stage } from "./windows.ts";

/** What a browser of a test subscribes with: its own push service is not on this machine. */
type Fake = { endpoint: string; p256dh: string; auth: string };

/** Runs in the page: it is allowed to ring, and subscribes as the fake. */
export function subscribeAs({ endpoint, ...keys }: Fake): void {
  const subscription = {
    endpoint,
    getKey: (name: "p256dh" | "auth") =>
      Uint8Array.from(atob(keys[name].replaceAll("-", "+").replaceAll("_", "/")), (sign) =>
        sign.codePointAt(0)!,
      ).buffer,
  };
  // This browser has no screen, and so no permission to show anything on it.
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = async () => "granted";
  PushManager.prototype.subscribe = async () => subscription as unknown as PushSubscription;
  PushManager.prototype.getSubscription = async () => null;
}

/**
 * Gives the application's own worker, as it is served, a message as the browser would, and taps on what it shows. A
 * browser without a screen shows nothing and opens nothing, so Node stands in for what it offers a worker.
 * @returns what stood on the screen, and what the tap opened
 */
export async function tapOn({ product }: Stage, data: PushedMessage["data"]) {
  type Shown = { title: string; body?: string; data?: unknown };
  type Handler = (event: object) => void;
  const handlers = new Map<string, Handler>();
  const shown: Shown[] = [];
  const opened: string[] = [];
  const self = {
    location: { origin: product.url },
    navigator: {},
    addEventListener: (name: string, handler: Handler) => handlers.set(name, handler),
    registration: {
      showNotification: async (title: string, options: Omit<Shown, "title">) =>
        void shown.push({ title, ...options }),
    },
    clients: { openWindow: async (url: string) => void opened.push(url) },
  };
  const script = await (await fetch(`${product.url}/app-worker.js`)).text();
  runInNewContext(script, { self, URL });
  const happen = async (name: string, what: object) => {
    const waits: Promise<unknown>[] = [];
    handlers.get(name)!({ ...what, waitUntil: (promise: Promise<unknown>) => waits.push(promise) });
    await Promise.all(waits);
  };
  await happen("push", { data: { json: () => data } });
  await happen("notificationclick", { notification: { close() {}, data: shown[0]?.data } });
  return { shown, opened };
}
