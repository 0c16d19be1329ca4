import { type CertificateType, type CheckDecision, type CheckKind } from "../../../contract/checks.ts";
import { DomainError } from "../../platform/errors.ts";

const SIGNATURES: readonly [type: CertificateType, start: readonly number[]][] = [
  ["application/pdf", [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
];

/** Returns the type of a certificate by its first bytes, whatever the browser called it; null if we do not accept it. */
export function sniffCertificate(bytes: Uint8Array): CertificateType | null {
  return SIGNATURES.find(([, start]) => start.every((byte, i) => bytes[i] === byte))?.[0] ?? null;
}

function refuse(field: string, text: string): never {
  throw new DomainError("invalid_input", text, { [field]: text });
}

/**
 * Requires a reason for a refusal, and the dates of an approved check: seen today or earlier, and still valid today.
 * @param today such as "2026-11-25"
 * @throws DomainError invalid_input
 */
export function requireFacts(
  kind: CheckKind,
  { decision, seenOn, endsOn, reason }: CheckDecision,
  today: string,
): void {
  if (decision === "refused") {
    if (!reason) refuse("reason", "Please say why");
    return;
  }
  if (!seenOn) refuse("seenOn", "When did you see it?");
  if (seenOn! > today) refuse("seenOn", "This day is in the future");
  if (kind !== "abn" && !endsOn) refuse("endsOn", "Until when is it valid?");
  if (endsOn && endsOn < today) refuse("endsOn", "It has already ended");
}
