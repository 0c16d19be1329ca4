/** Encrypts bank details with AES-GCM. The key exists only in a secret. */
import type { BankDetailsForm, MaskedBankDetails } from "../../../contract/account.ts";
import type { KeyRing } from "../../platform/key-ring.ts";
import { shortKeyedHash } from "../../platform/keyed-hash.ts";

export type PlainBankDetails = {
  bankName: string | null;
  accountName: string | null;
  bsb: string | null;
  accountNumber: string | null;
};

/** Stored bank details: base64 of nonce and ciphertext, and the id of the key that decrypts them. */
export type Sealed = { ciphertext: string; keyId: string };

/** What a save stores: also a keyed hash of the account, null without BSB and account number. */
export type NewlySealed = Sealed & { accountHash: string | null };

const NONCE_BYTES = 12;

function importKey(key: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", Buffer.from(key, "base64"), "AES-GCM", false, ["encrypt", "decrypt"]);
}

/**
 * Returns the AES-GCM parameters. The user id is authenticated data: details copied to another user's row do not
 * decrypt.
 */
function parameters(nonce: Uint8Array<ArrayBuffer>, userId: string) {
  return { name: "AES-GCM", iv: nonce, additionalData: new TextEncoder().encode(userId) };
}

/** Encrypts a user's bank details with the key ring's current key. */
export async function sealBankDetails(
  keyRing: KeyRing,
  userId: string,
  details: PlainBankDetails,
): Promise<NewlySealed> {
  const { id, key } = keyRing[0]!;
  const { bsb, accountNumber } = details;
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const plain = new TextEncoder().encode(JSON.stringify(details));
  const sealed = await crypto.subtle.encrypt(parameters(nonce, userId), await importKey(key), plain);
  return {
    ciphertext: Buffer.concat([nonce, Buffer.from(sealed)]).toString("base64"),
    keyId: id,
    // The oldest key, so that rows of before a change of keys still match.
    accountHash: bsb && accountNumber && shortKeyedHash(keyRing.at(-1)!.key, "account", bsb, accountNumber),
  };
}

/**
 * Decrypts a user's bank details.
 * @throws Error if the ring lacks the key, or if the details were tampered with or belong to another user
 */
export async function openBankDetails(
  keyRing: KeyRing,
  userId: string,
  sealed: Sealed,
): Promise<PlainBankDetails> {
  const found = keyRing.find(({ id }) => id === sealed.keyId);
  if (!found) throw new Error(`Bank details are sealed with key ${sealed.keyId}, which is not in the ring`);
  const bytes = new Uint8Array(Buffer.from(sealed.ciphertext, "base64"));
  const plain = await crypto.subtle.decrypt(
    parameters(bytes.slice(0, NONCE_BYTES), userId),
    await importKey(found.key),
    bytes.slice(NONCE_BYTES),
  );
  return JSON.parse(new TextDecoder().decode(plain)) as PlainBankDetails;
}

/** Returns a form's bank details with null for absent fields; null if all fields are empty. */
export function bankDetailsOf(form: BankDetailsForm): PlainBankDetails | null {
  const { bankName = null, accountName = null, bsb = null, accountNumber = null } = form;
  const details = { bankName, accountName, bsb, accountNumber };
  return Object.values(details).every((value) => value === null) ? null : details;
}

function lastThree(digits: string | null): string | null {
  return digits && `${"•".repeat(digits.length - 3)}${digits.slice(-3)}`;
}

/** Masks all but the last three digits of the BSB and the account number, for the owner's own screen. */
export function maskBankDetails(
  details: PlainBankDetails | null,
  updatedAt: number | null,
): MaskedBankDetails {
  return {
    bankName: details?.bankName ?? null,
    accountName: details?.accountName ?? null,
    bsb: lastThree(details?.bsb ?? null),
    accountNumber: lastThree(details?.accountNumber ?? null),
    updatedAt,
  };
}
