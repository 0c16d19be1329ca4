/** The key pair that identifies us to push services (RFC 8292). */
import { generateKeyPairSync } from "node:crypto";

/**
 * Returns a new key pair in the format of PUSH_KEYS: the uncompressed point, a dot, the private number;
 * base64url.
 */
export function newPushKeys(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y, d } = privateKey.export({ format: "jwk" }) as { x: string; y: string; d: string };
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return `${point.toString("base64url")}.${d}`;
}

// `npx node scripts/vapid.ts` prints keys for production.
if (import.meta.main) console.log(newPushKeys());
