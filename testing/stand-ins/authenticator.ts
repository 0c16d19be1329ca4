/**
 * A software security key for tests without a browser. It creates passkeys and signs with them according to
 * the standard (W3C WebAuthn Level 3, section 6). Tests can make it misbehave.
 */
import { createHash, randomBytes } from "node:crypto";

import { isoCBOR } from "@simplewebauthn/server/helpers";

import type { Assertion, Registration } from "../../contract/passkeys.ts";

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url");
const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest();

/** Faults of a response. */
type Tampering = {
  /** The page that made the request. */
  origin?: string;
  /** The relying party of the passkeys. */
  rpId?: string;
  /** Whether the key verified its owner, not only a touch. */
  isVerified?: boolean;
  /** The signature count; by default it increments. */
  counter?: number;
  /** Whether to sign different data. */
  isForged?: boolean;
  type?: string;
};

const FLAGS = { present: 0x01, verified: 0x04, hasKey: 0x40 };

const flagsOf = (isVerified: boolean) => FLAGS.present | (isVerified ? FLAGS.verified : 0);

/** Encodes an integer of a signature as ASN.1: no leading zeros, except one that prevents a negative number. */
function asn1Integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const digits = bytes.slice(start);
  const signed = digits[0]! > 0x7f ? Buffer.concat([Buffer.from([0]), digits]) : Buffer.from(digits);
  return Buffer.concat([Buffer.from([0x02, signed.length]), signed]);
}

/** Encodes r and s of a signature as ASN.1, as authenticators send them. */
function asn1(raw: Uint8Array): Buffer {
  const both = Buffer.concat([asn1Integer(raw.slice(0, 32)), asn1Integer(raw.slice(32))]);
  return Buffer.concat([Buffer.from([0x30, both.length]), both]);
}

type RelyingParty = { origin: string; rpId: string };

function clientData(type: string, challenge: string, origin: string): string {
  return JSON.stringify({ type, challenge, origin, crossOrigin: false });
}

function authenticatorData(rpId: string, flags: number, counter: number, attested?: Uint8Array): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)]);
}

const coordinate = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));

async function coseKey(publicKey: CryptoKey): Promise<Uint8Array> {
  const { x, y } = (await crypto.subtle.exportKey("jwk", publicKey)) as JsonWebKey;
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x!)],
      [-3, coordinate(y!)],
    ]),
  );
}

export type Authenticator = Awaited<ReturnType<typeof makeAuthenticator>>;

/** Returns a new key for one passkey, for the pages at `origin`. */
export async function makeAuthenticator({ origin, rpId }: RelyingParty) {
  const keys = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const id = base64url(randomBytes(32));
  let counter = 0;
  let userHandle: string | null = null;

  return {
    id,
    /** Creates its passkey. */
    async create(
      options: { challenge: string; user: { id: string } },
      tampering: Tampering = {},
    ): Promise<Registration> {
      userHandle = options.user.id;
      const cose = await coseKey(keys.publicKey);
      const credential = Buffer.from(id, "base64url");
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credential.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, credential, cose]);
      const flags = flagsOf(tampering.isVerified ?? true) | FLAGS.hasKey;
      const authData = authenticatorData(tampering.rpId ?? rpId, flags, 0, attested);
      const attestation = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, string>>([
          ["fmt", "none"],
          ["attStmt", new Map<string, string>()],
          ["authData", new Uint8Array(authData)],
        ]),
      );
      const data = clientData(
        tampering.type ?? "webauthn.create",
        options.challenge,
        tampering.origin ?? origin,
      );
      return {
        id,
        rawId: id,
        type: "public-key",
        response: {
          clientDataJSON: base64url(data),
          attestationObject: base64url(attestation),
          transports: ["usb"],
        },
      };
    },

    /** Signs a challenge. */
    async sign({ challenge }: { challenge: string }, tampering: Tampering = {}): Promise<Assertion> {
      counter = tampering.counter ?? counter + 1;
      const data = clientData(tampering.type ?? "webauthn.get", challenge, tampering.origin ?? origin);
      const authData = authenticatorData(
        tampering.rpId ?? rpId,
        flagsOf(tampering.isVerified ?? true),
        counter,
      );
      const signed = Buffer.concat([authData, sha256(tampering.isForged ? `${data} ` : data)]);
      const algorithm = { name: "ECDSA", hash: "SHA-256" };
      const signature = new Uint8Array(await crypto.subtle.sign(algorithm, keys.privateKey, signed));
      return {
        id,
        rawId: id,
        type: "public-key",
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authData),
          signature: base64url(asn1(signature)),
          userHandle,
        },
      };
    },
  };
}
