/**
 * Passkeys' own protocol, by @simplewebauthn/server. Nothing but this file knows of it, and its code is
 * loaded with the first passkey: it weighs as much as a small page, and most requests have none.
 */
import type { Assertion, Registration } from "../../contract/passkeys.ts";
import type { UserRow } from "../platform/session.ts";
import { log } from "../log.ts";
import { CHALLENGE_MS, type PasskeyRow, type RelyingParty } from "./rules.ts";

const load = () => import("@simplewebauthn/server");

/** Ed25519, ECDSA over P-256 and RSA, in this order: what phones, keys and Windows make. */
const ALGORITHMS = [-8, -7, -257];

type Known = Pick<PasskeyRow, "credentialId" | "transports">;

function descriptors(known: readonly Known[]) {
  return known.map(({ credentialId: id, transports }) => ({ id, transports }));
}

/**
 * What a browser needs to make a passkey. It has to ask its owner for more than a touch, and to keep the
 * account's name with it, so that the passkey alone signs in.
 * @param known the account's passkeys: no device makes a second one
 */
export async function creationOptions(
  party: RelyingParty,
  user: Pick<UserRow, "id" | "username" | "firstName" | "lastName">,
  known: readonly Known[],
) {
  const { generateRegistrationOptions } = await load();
  // Its extensions only tell what we ask for anyway.
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
 * What a browser needs to use a passkey.
 * @param known the account's passkeys; empty while nobody knows whose it will be
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

/** What a new passkey is made of. */
export type NewPasskey = Pick<
  PasskeyRow,
  "credentialId" | "publicKey" | "counter" | "transports" | "isSynced"
>;

/** @returns null, with a line in the log, when the library throws: for it, that is how to say no */
async function orNull<T>(purpose: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    log("warn", "passkey_refused", { purpose, error });
    return null;
  }
}

/** Reads a browser's answer that made a passkey; null when anything about it is not as asked for. */
export function readRegistration(
  party: RelyingParty,
  credential: Registration,
  challenge: string,
): Promise<NewPasskey | null> {
  return orNull("register", async () => {
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
 * Whether a browser's answer was made with a passkey, for this challenge, on our pages, by somebody who was
 * asked for more than a touch.
 * @returns what the passkey counts now; null when it was not
 */
export function readAssertion(
  party: RelyingParty,
  credential: Assertion,
  passkey: PasskeyRow,
  challenge: string,
): Promise<number | null> {
  return orNull("use", async () => {
    const { verifyAuthenticationResponse } = await load();
    const { userHandle, ...response } = credential.response;
    // Authenticators keep the account's id with the key, and say it when nobody was named.
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
