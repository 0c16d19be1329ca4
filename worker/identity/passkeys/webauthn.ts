/**
 * WebAuthn with @simplewebauthn/server. Only this file uses the library. It loads with the first passkey, because it is
 * large and most requests do not need it.
 */

import type { Assertion, Registration } from "../../../contract/passkeys.ts";
import type { UserRow } from "../../platform/caller.ts";
import type { AppContext } from "../../platform/context.ts";
import { log } from "../../platform/log.ts";
import { CHALLENGE_MS, type PasskeyRow, type RelyingParty, relyingParty } from "./rules.ts";

const load = () => import("@simplewebauthn/server");

/** Ed25519, ECDSA over P-256 and RSA, in this order: the algorithms of phones, security keys and Windows. */
const ALGORITHMS = [-8, -7, -257];

type Known = Pick<PasskeyRow, "credentialId" | "transports">;

function descriptors(known: readonly Known[]) {
  return known.map(({ credentialId: id, transports }) => ({ id, transports }));
}

/**
 * Returns the options for a browser to create a passkey. Requires the authenticator to verify the user, not only detect
 * a touch. Also requires it to store the account with the passkey, so that the passkey alone can sign in.
 * @param known the account's passkeys; a device with one of them does not create another
 */
export async function creationOptions(
  party: RelyingParty,
  user: Pick<UserRow, "id" | "username" | "firstName" | "lastName">,
  known: readonly Known[],
) {
  const { generateRegistrationOptions } = await load();
  // The library's extensions only repeat requirements of the other options.
  const { extensions: _, ...options } = await generateRegistrationOptions({
    rpName: "Naturestrip",
    rpID: party.id,
    userID: new TextEncoder().encode(user.id),
    userName: user.username,
    userDisplayName: `${user.firstName} ${user.lastName}`,
    timeout: CHALLENGE_MS,
    attestationType: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: descriptors(known),
  });
  return options;
}

/**
 * Returns the options for a browser to use a passkey.
 * @param known the account's passkeys; empty if the account is not known yet
 */
export async function requestOptions(party: RelyingParty, known: readonly Known[]) {
  const { generateAuthenticationOptions } = await load();
  const { extensions: _, ...options } = await generateAuthenticationOptions({
    rpID: party.id,
    timeout: CHALLENGE_MS,
    userVerification: "required",
    allowCredentials: descriptors(known),
  });
  return options;
}

export type NewPasskey = Pick<
  PasskeyRow,
  "credentialId" | "publicKey" | "counter" | "transports" | "isSynced"
>;

/** Returns null and logs the error if the library throws, which is how it rejects a passkey. */
async function nullOnError<T>(purpose: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    log("warn", "passkey_refused", { purpose, error });
    return null;
  }
}

/** Verifies a browser's new passkey; returns null if it does not match the options. */
export function readRegistration(
  party: RelyingParty,
  credential: Registration,
  challenge: string,
): Promise<NewPasskey | null> {
  return nullOnError("register", async () => {
    const { verifyRegistrationResponse } = await load();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString("base64url"),
      counter,
      transports: credential.response.transports ?? [],
      isSynced: registrationInfo.credentialBackedUp,
    };
  });
}

/**
 * Verifies a browser's response with this passkey, for this challenge, on our pages. Requires that the authenticator
 * verified the user.
 * @returns the passkey's new counter; null if the check fails
 */
export function readAssertion(
  party: RelyingParty,
  credential: Assertion,
  passkey: PasskeyRow,
  challenge: string,
): Promise<number | null> {
  return nullOnError("use", async () => {
    const { verifyAuthenticationResponse } = await load();
    const { userHandle, ...response } = credential.response;
    // Authenticators store the account's id with the key. They send the id if the request contained no account.
    if (userHandle && userHandle !== Buffer.from(passkey.userId).toString("base64url")) return null;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...credential,
        response: { ...response, ...(userHandle && { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
        counter: passkey.counter,
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  });
}

export function relyingPartyOf(c: AppContext): RelyingParty {
  return relyingParty(c.env.settings.siteHost, c.req.url);
}
