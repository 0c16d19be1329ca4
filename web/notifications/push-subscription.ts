/** Browser code for notifications: permission, subscribing and unsubscribing. */
import type { PushSubscriptionForm } from "../../contract/notifications.ts";
import { isApplePhone } from "../lib/apple-phone.ts";

/** The service worker controls only the application's pages. It intercepts none of their requests. */
const SCRIPT = "/app-worker.js";
const SCOPE = "/dashboard";

/** Why this browser cannot turn on notifications; null if it can. */
export type Obstacle = "unsupported" | "home_screen" | "denied";

/** Returns the obstacle in this browser, or null. Call it only in the browser. */
export function findObstacle(): Obstacle | null {
  const canPush = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  // On a phone, Safari supports notifications only for apps on the home screen.
  if (!canPush) return isApplePhone() ? "home_screen" : "unsupported";
  return Notification.permission === "denied" ? "denied" : null;
}

const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
    character.codePointAt(0)!,
  );

const toBase64Url = (bytes: ArrayBuffer | null) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/**
 * Asks for permission and subscribes. Call it from a click handler, because browsers ignore other requests.
 * @param publicKey the server's public key
 * @returns the subscription to send to the server; null if the user refused
 * @throws the browser's error, for example when its push service is unavailable
 */
export async function subscribe(publicKey: string): Promise<PushSubscriptionForm | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const registration = await navigator.serviceWorker.register(SCRIPT, { scope: SCOPE });
  // Remove a subscription with an older public key, because it would receive nothing.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const subscription = await subscribeWhenActive(registration, fromBase64Url(publicKey));
  const { endpoint } = subscription;
  return {
    endpoint,
    p256dh: toBase64Url(subscription.getKey("p256dh")),
    auth: toBase64Url(subscription.getKey("auth")),
  };
}

/** Subscribes after the newly registered service worker is active. */
async function subscribeWhenActive(registration: ServiceWorkerRegistration, key: Uint8Array<ArrayBuffer>) {
  const worker = registration.installing ?? registration.waiting;
  if (!registration.active && worker)
    await new Promise<void>((resolve) =>
      worker.addEventListener("statechange", () => worker.state === "activated" && resolve()),
    );
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** Returns the push service's address of this browser's subscription; null without one. */
export async function findEndpoint(): Promise<string | null> {
  const registration = await navigator.serviceWorker?.getRegistration(SCOPE);
  return (await registration?.pushManager?.getSubscription())?.endpoint ?? null;
}

/** Removes this browser's subscription, here and at its push service. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
