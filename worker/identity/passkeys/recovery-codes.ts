/** Recovery codes, which replace a lost passkey. */
import { createHash, randomBytes } from "node:crypto";
import { normaliseRecoveryCode, RECOVERY_CODES } from "../../../contract/passkeys.ts";

/** Omits 0, 1, l and o, which are hard to tell apart on paper. 32 characters, 5 bits each. */
const CODE_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const CODE_LENGTH = 16;

/** Returns a recovery code of 80 random bits, in groups of four characters. */
function newRecoveryCode(): string {
  const characters = [...randomBytes(CODE_LENGTH)].map((byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]!);
  return characters.join("").match(/.{4}/g)!.join("-");
}

/** Returns new recovery codes, to be shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
}

/** Returns the hash to store for a recovery code. A fast hash is enough, because 80 random bits cannot be guessed. */
export function hashRecoveryCode(userId: string, code: string): string {
  return createHash("sha256")
    .update(`${userId}:${normaliseRecoveryCode(code)}`)
    .digest("base64url");
}
