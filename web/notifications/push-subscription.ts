/** This browser's own side of notifications: asking, subscribing, and taking it back. */
import type { PushSubscriptionForm } from "../../contract/notifications.ts";
import { isApplePhone } from "../lib/apple-phone.ts";

/** It answers for the application's pages alone, and takes in none of their requests. */
const SCRIPT = "/app-worker.js";
const SCOPE = "/dashboard";

/** What stands in the way here; null when notifications can be turned on. */
export type Obstacle = "unsupported" | "home_screen" | "denied";

/** Whether this browser can be told; to be asked in the browser only. */
export function findObstacle(): Obstacle | null {
  const canPush = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  // Safari on a phone has them only for what was added to the home screen.
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
 * Asks for permission and subscribes. Called by a press: browsers ask nobody otherwise.
 * @param publicKey ours, as the server has it
 * @returns what the server is to be told; null when the person said no
 * @throws the browser's error, such as when its push service is away
 */
export async function subscribe(publicKey: string): Promise<PushSubscriptionForm | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const registration = await navigator.serviceWorker.register(SCRIPT, { scope: SCOPE });
  // One of another key, from before ours was changed, would never be heard.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const subscription = await subscribeWhenActive(registration, toBytes(publicKey));
  const { endpoint } = subscription;
  return {
    endpoint,
    p256dh: toText(subscription.getKey("p256dh")),
    auth: toText(subscription.getKey("auth")),
  };
}

/** A worker that was registered a moment ago has yet to become active. */
async function subscribeWhenActive(registration: ServiceWorkerRegistration, key: Uint8Array<ArrayBuffer>) {
  const worker = registration.installing ?? registration.waiting;
  if (!registration.active && worker)
    await new Promise<void>((resolve) =>
      worker.addEventListener("statechange", () => worker.state === "activated" && resolve()),
    );
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** Takes this browser's subscription back, so that its push service forgets it too. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
