/** Users with passkeys, created through the API. */
import { expect } from "vitest";

import type { Assertion } from "../contract/passkeys.ts";
import type { Bindings } from "../worker/platform/env.ts";
import { type Authenticator, makeAuthenticator } from "./stand-ins/authenticator.ts";
import { callerFor, callWith } from "./client.ts";
import { PASSWORD } from "./world.ts";

/** The relying party of the test pages. */
export const RELYING_PARTY = { origin: "http://naturestrip.test", rpId: "naturestrip.test" };

type Options = { challenge: string; user: { id: string } };

/** Returns a browser that stores cookies and calls a Worker, optionally with different settings. */
export function browser(changed: Partial<Bindings> = {}, cookies: Record<string, string> = {}) {
  const jar = new Map(Object.entries(cookies));
  return {
    jar,
    async call(method: string, path: string, body?: unknown): Promise<Response> {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await callWith(changed, method, path, { cookie, body });
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === "") jar.delete(name);
        else jar.set(name, value);
      }
      return response;
    },
    async json<T>(method: string, path: string, body?: unknown): Promise<T> {
      return (await this.call(method, path, body)).json() as Promise<T>;
    },
  };
}
export type Browser = ReturnType<typeof browser>;

/** Returns a browser in which the user has signed in by password. */
export async function browserOf(userId: string, changed: Partial<Bindings> = {}): Promise<Browser> {
  const { cookie } = await callerFor(userId);
  return browser(changed, { session: cookie.slice("session=".length) });
}

/** Adds a passkey to the signed-in user. @returns the response body */
export async function addPasskey(at: Browser, key: Authenticator) {
  const options = await at.json<Options>("POST", "/api/passkeys/options");
  const response = await at.call("POST", "/api/passkeys", { credential: await key.create(options) });
  expect(response.status).toBe(201);
  return (await response.json()) as { passkey: { id: string }; recoveryCodes: string[] | null };
}

/** Adds a passkey and recovery codes to a user. Returns them with the browser that added them. */
export async function insertPasskeyUser(userId: string, changed: Partial<Bindings> = {}) {
  const at = await browserOf(userId, changed);
  const key = await makeAuthenticator(RELYING_PARTY);
  const { passkey, recoveryCodes } = await addPasskey(at, key);
  return { at, key, passkeyId: passkey.id, codes: recoveryCodes! };
}

/** Returns a new browser after the correct password, waiting for the second factor. */
export async function signInToSecondStep(
  username: string,
  changed: Partial<Bindings> = {},
): Promise<Browser> {
  const at = browser(changed);
  const response = await at.call("POST", "/api/auth/login", { username, password: PASSWORD });
  expect(response.status).toBe(202);
  return at;
}

/** Requests a challenge and signs it with a passkey. */
export async function signChallenge(
  at: Browser,
  path: string,
  key: Authenticator,
  tampering: Parameters<Authenticator["sign"]>[1] = {},
): Promise<{ credential: Assertion }> {
  const options = await at.json<{ challenge: string }>("POST", `${path}/options`);
  return { credential: await key.sign(options, tampering) };
}
