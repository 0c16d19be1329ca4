import * as z from "zod/mini";

import { maxCharacters } from "./text-fields.ts";

/** Reasons for quarantining a visitor's request. */
export const QUARANTINE_REASONS = [
  "duplicate",
  "impossible_phone",
  "honeypot",
  "too_fast",
  "many_from_address",
  "start_reused",
  "challenge_missing",
  "challenge_failed",
  "challenge_unavailable",
  "program",
  "outside_network",
  "link",
  "throwaway_email",
  "unlisted_suburb",
  "provider_session",
  "provider_device",
  "provider_contact",
] as const;
export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];

export const QUARANTINE_LABELS: Record<QuarantineReason, string> = {
  duplicate: "Same person, place and service as another request",
  impossible_phone: "Phone number doesn't exist",
  honeypot: "Filled in a hidden field",
  too_fast: "Sent too fast to be typed",
  many_from_address: "Many requests from one network address",
  start_reused: "Same timestamp as another request",
  challenge_missing: "Sent without Cloudflare's check, as if JavaScript were off",
  challenge_failed: "Failed Cloudflare's check",
  challenge_unavailable: "Cloudflare's check didn't respond",
  program: "Sent by a program, not a browser",
  outside_network: "Sent from outside Australia, from a data centre or through a VPN",
  link: "Message contains a link",
  throwaway_email: "Throwaway email address",
  unlisted_suburb: "Suburb isn't in our list: does it exist?",
  provider_session: "Sent by a provider who was signed in",
  provider_device: "Sent from a provider's browser",
  provider_contact: "A provider's phone number or email address",
};

/**
 * Body of POST /api/super-admin/leads/{id}/release: `revision` of the lead that the admin read. The server responds 409
 * if its customer has changed it since.
 */
export const releaseLeadSchema = z.object({
  revision: z.int("Please reload the page"),
});

/** Body of POST /api/super-admin/leads/{id}/drop. */
export const dropLeadSchema = z.object({
  reason: z.optional(z.nullable(z.string().check(z.trim(), maxCharacters(500)))),
});
