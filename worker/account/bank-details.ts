/** How bank details are kept: sealed with AES-GCM under a key that only a secret holds. */
import type { BankDetailsForm, MaskedBankDetails } from "../../contract/account.ts";
import type { KeyRing } from "../platform/key-ring.ts";

export type BankDetails = {
  bankName: string | null;
  accountName: string | null;
  bsb: string | null;
  accountNumber: string | null;
};

/** Bank details as stored: base64 of nonce and ciphertext, and which key opens them. */
export type Sealed = { ciphertext: string; keyId: string };

const NONCE_BYTES = 12;

function importKey(key: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", Buffer.from(key, "base64"), "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** Whose details they are is sealed in: moved to another person's row, they do not open. */
function parameters(nonce: Uint8Array<ArrayBuffer>, userId: string) {
  return { name: "AES-GCM", iv: nonce, additionalData: new TextEncoder().encode(userId) };
}

/** Seals somebody's bank details with the current key of the ring. */
export async function sealBankDetails(ring: KeyRing, userId: string, details: BankDetails): Promise<Sealed> {
  const { id, key } = ring[0]!;
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const plain = new TextEncoder().encode(JSON.stringify(details));
  const sealed = await crypto.subtle.encrypt(parameters(nonce, userId), await importKey(key), plain);
  return {
    ciphertext: Buffer.concat([nonce, Buffer.from(sealed)]).toString("base64"),
    keyId: id,
  };
}

/**
 * Opens somebody's bank details.
 * @throws Error when the ring lacks their key, or when they were tampered with or are somebody else's
 */
export async function openBankDetails(ring: KeyRing, userId: string, sealed: Sealed): Promise<BankDetails> {
  const found = ring.find(({ id }) => id === sealed.keyId);
  if (!found) throw new Error(`Bank details are sealed with key ${sealed.keyId}, which is not in the ring`);
  const bytes = new Uint8Array(Buffer.from(sealed.ciphertext, "base64"));
  const plain = await crypto.subtle.decrypt(
    parameters(bytes.slice(0, NONCE_BYTES), userId),
    await importKey(found.key),
    bytes.slice(NONCE_BYTES),
  );
  return JSON.parse(new TextDecoder().decode(plain)) as BankDetails;
}

/**
 * The same details under the ring's current key, for a rotation.
 * @returns null when they are under it already
 * @throws Error as `openBankDetails`
 */
export async function resealBankDetails(
  ring: KeyRing,
  userId: string,
  sealed: Sealed,
): Promise<Sealed | null> {
  if (sealed.keyId === ring[0]!.id) return null;
  return sealBankDetails(ring, userId, await openBankDetails(ring, userId, sealed));
}

/** What a form says, with nothing left out; null when it says nothing at all. */
export function bankDetailsOf(form: BankDetailsForm): BankDetails | null {
  const { bankName = null, accountName = null, bsb = null, accountNumber = null } = form;
  const details = { bankName, accountName, bsb, accountNumber };
  return Object.values(details).every((value) => value === null) ? null : details;
}

function lastThree(digits: string | null): string | null {
  return digits && `${"•".repeat(digits.length - 3)}${digits.slice(-3)}`;
}

/** Bank details as their owner sees them again. */
export function maskBankDetails(details: BankDetails | null, updatedAt: number | null): MaskedBankDetails {
  return {
    bankName: details?.bankName ?? null,
    accountName: details?.accountName ?? null,
    bsb: lastThree(details?.bsb ?? null),
    accountNumber: lastThree(details?.accountNumber ?? null),
    updatedAt,
  };
}
