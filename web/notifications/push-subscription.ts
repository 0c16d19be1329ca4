/** The browser's side of notifications: asking for permission, subscribing and unsubscribing. */
import type { PushSubscriptionForm } from "../../contract/notifications.ts";
import { isApplePhone } from "../lib/apple-phone.ts";

/** The service worker controls only the app's pages, and intercepts none of their requests. */
const SCRIPT = "/app-worker.js";
const SCOPE = "/dashboard";

/** The reason why notifications cannot be turned on here; null when they can. */
export type Obstacle = "unsupported" | "home_screen" | "denied";

/** Returns the obstacle in this browser, if any. Call it in the browser only. */
export function findObstacle(): Obstacle | null {
  const canPush = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  // Safari on a phone supports them only in apps on the home screen.
  if (!canPush) return isApplePhone() ? "home_screen" : "unsupported";
  return Notification.permission === "denied" ? "denied" : null;
}

const toBytes = (text: string) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.codePointAt(0)!);

const toText = (bytes: ArrayBuffer | null) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/**
 * Asks for permission and subscribes. Call it from a click handler: browsers ignore other requests.
 * @param publicKey our key, as the server has it
 * @returns the subscription to send to the server; null when the user refused
 * @throws the browser's error, such as when its push service is unavailable
 */
export async function subscribe(publicKey: string): Promise<PushSubscriptionForm | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const registration = await navigator.serviceWorker.register(SCRIPT, { scope: SCOPE });
  // A subscription with an older public key would receive nothing: remove it.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const subscription = await subscribeWhenActive(registration, toBytes(publicKey));
  const { endpoint } = subscription;
  return {
    endpoint,
    p256dh: toText(subscription.getKey("p256dh")),
    auth: toText(subscription.getKey("auth")),
  };
}

/** Subscribes once a newly registered worker is active. */
async function subscribeWhenActive(registration: ServiceWorkerRegistration, key: Uint8Array<ArrayBuffer>) {
  const worker = registration.installing ?? registration.waiting;
  if (!registration.active && worker)
    await new Promise<void>((resolve) =>
      worker.addEventListener("statechange", () => worker.state === "activated" && resolve()),
    );
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** Removes this browser's subscription, also at its push service. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
