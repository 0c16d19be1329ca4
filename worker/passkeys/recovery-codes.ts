/** Codes that stand in for a lost passkey. */
import { createHash, randomBytes } from "node:crypto";
import { bareCode, RECOVERY_CODES } from "../../contract/passkeys.ts";

/** Without 0, 1, l and o, which are hard to tell apart on paper: 32 signs, 5 bits each. */
const CODE_SIGNS = "abcdefghijkmnpqrstuvwxyz23456789";
const CODE_LENGTH = 16;

/** A recovery code of 80 random bits, in groups of four. */
function newRecoveryCode(): string {
  const signs = [...randomBytes(CODE_LENGTH)].map((byte) => CODE_SIGNS[byte % CODE_SIGNS.length]!);
  return signs.join("").match(/.{4}/g)!.join("-");
}

/** Fresh recovery codes, to be shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
}

/** A recovery code as stored. It has too many bits to be guessed from its hash, so a quick one will do. */
export function hashRecoveryCode(userId: string, code: string): string {
  return createHash("sha256")
    .update(`${userId}:${bareCode(code)}`)
    .digest("base64url");
}
