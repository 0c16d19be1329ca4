/** Browser code for passkeys. The library loads only when a user needs a passkey. */
import type { Assertion, Registration } from "../../contract/passkeys.ts";

type Library = typeof import("@simplewebauthn/browser");
type CreationOptions = Parameters<Library["startRegistration"]>[0]["optionsJSON"];
type RequestOptions = Parameters<Library["startAuthentication"]>[0]["optionsJSON"];

const load = (): Promise<Library> => import("@simplewebauthn/browser");

/** Asks the browser to create a passkey. @throws the browser's error; see `describePasskeyError` */
export async function createPasskey(optionsJSON: CreationOptions): Promise<Registration> {
  const { startRegistration } = await load();
  return startRegistration({ optionsJSON });
}

/** Asks the browser to sign with a passkey. @throws the browser's error; see `describePasskeyError` */
export async function requestAssertion(optionsJSON: RequestOptions): Promise<Assertion> {
  const { startAuthentication } = await load();
  return startAuthentication({ optionsJSON });
}

/** Returns the message for a browser's error, or null for any other error. */
export function describePasskeyError(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (/not supported in this browser/.test(error.message)) {
    return "This browser can't use passkeys. Try another one, or a recovery code.";
  }
  if (error.name === "InvalidStateError") return "This device already has a passkey for your account.";
  if (error.name === "NotAllowedError" || error.name === "AbortError") {
    return "That didn't work. It was cancelled, took too long, or there's no passkey on this device.";
  }
  // The library renames the browser's errors. A TypeError is a network error.
  return error.name === "TypeError" ? null : "Your browser couldn't do that. Please try again.";
}
