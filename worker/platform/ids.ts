import { createHash } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"; // Crockford's base 32 avoids look-alike characters

/** Returns 20 characters (100 bits) of 20 bytes. */
const toText = (bytes: Uint8Array) => Array.from(bytes, (byte) => ALPHABET[byte % 32]).join("");

/** Returns 20 random characters (100 bits). Do not use them as a secret. */
const randomText = () => toText(crypto.getRandomValues(new Uint8Array(20)));

/** Returns a new id such as `user_3f…`. The prefix is the kind of record. */
export function newId(
  prefix:
    | "user"
    | "ses"
    | "key"
    | "pur"
    | "bkg"
    | "pay"
    | "hold"
    | "link"
    | "sec"
    | "bad"
    | "clm"
    | "msg"
    | "psh"
    | "note"
    | "rev"
    | "ans"
    | "upd"
    | "chk"
    | "pho",
): string {
  return `${prefix}_${randomText()}`;
}

/** Returns the id of a photo that its uploader gave a key: always the same, so that a repeated upload is one photo. */
export function photoIdOf(credential: string, key: string): string {
  return `pho_${toText(createHash("sha256").update(`${credential} ${key}`).digest().subarray(0, 20))}`;
}

/**
 * Returns a new lead id, such as `lead_inner-west_3f…`. It contains the lead's first region, so a claim can find the
 * exchange without a D1 query.
 */
export function newLeadId(region: string): string {
  return `lead_${region}_${randomText()}`;
}

/** Returns the id of the lead that is rescued from another: always the same, so that a repeated rescue is the same lead. */
export function rescueLeadId(region: string, leadId: string): string {
  return `lead_${region}_${toText(createHash("sha256").update(leadId).digest().subarray(0, 20))}`;
}

/** Returns the region in a lead id, or null when the text is not a lead id. */
export function regionOfLeadId(leadId: string): string | null {
  return /^lead_([a-z-]+)_[0-9a-z]+$/.exec(leadId)?.[1] ?? null;
}
