/** The rules of each outbox template: why it is sent, how often, and how long it is worth sending. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import type { EmailTemplate, PushTemplate } from "../platform/db/message-types.ts";

type Rule = {
  /** Why the recipient gets it. */
  reason: string;
  /** A device gets one per template and window; later ones are merged. 0: one for each hold, sale or payment. */
  windowMs: number;
  /** Later than this it is dropped. */
  lifetimeMs: number;
};

/**
 * How long before a hold lapses its buyer is warned, in ms. Due messages are sent once a minute, so the warning
 * arrives 30 to 90 seconds before the end and names the time on the clock.
 */
export const WARNED_BEFORE_MS = 90_000;

export const RULES: Readonly<Record<PushTemplate, Rule>> = {
  new_lead: {
    reason: "A lead came that the provider watches for and wants to hear of, and the first to buy gets it.",
    windowMs: MINUTE_MS,
    lifetimeMs: 15 * MINUTE_MS,
  },
  lead_digest: {
    reason: "What came during quiet hours or a pause, or more than one within a minute: said once, together.",
    windowMs: MINUTE_MS,
    lifetimeMs: 2 * HOUR_MS,
  },
  lead_won: {
    reason:
      "A lead became theirs while no window of theirs was open: a bank took its time, or an admin gave it.",
    windowMs: 0,
    lifetimeMs: 15 * MINUTE_MS,
  },
  hold_lapsing: {
    reason: "A lead is set aside for them, and the time to pay for it is nearly over.",
    windowMs: 0,
    lifetimeMs: WARNED_BEFORE_MS,
  },
  hold_lapsed: {
    reason: "The time to pay ran out while no window of theirs was open.",
    windowMs: 0,
    lifetimeMs: 15 * MINUTE_MS,
  },
  paid_too_late: {
    reason: "Their payment came when the lead was gone, and goes back.",
    windowMs: 0,
    lifetimeMs: HOUR_MS,
  },
  mentioned: {
    reason: "Someone of their business wrote their name in a lead's notes.",
    windowMs: 10 * MINUTE_MS,
    lifetimeMs: 12 * HOUR_MS,
  },
  team_sale: {
    reason: "Their business got a lead, and their owner wants them told of it.",
    windowMs: 0,
    lifetimeMs: 2 * HOUR_MS,
  },
  customer_answered: {
    reason: "Someone whose request they bought wrote back to our text message, and waits for a call.",
    // Per purchase. answer-commands.ts decides when it rings again.
    windowMs: 5 * MINUTE_MS,
    lifetimeMs: 12 * HOUR_MS,
  },
  test: {
    reason: "The person pressed Send a test.",
    windowMs: MINUTE_MS,
    lifetimeMs: 5 * MINUTE_MS,
  },
};

/** How long each email is worth sending, in ms. Later than this it is dropped. */
export const EMAIL_LIFETIME_MS: Readonly<Record<EmailTemplate, number>> = {
  request_received: 6 * HOUR_MS,
  request_taken: DAY_MS,
  request_withdrawn: DAY_MS,
  request_expired: 3 * DAY_MS,
  inspection_received: 6 * HOUR_MS,
  link_made_by_support: DAY_MS,
  link_made_by_owner: DAY_MS,
  passkey_added: 3 * DAY_MS,
  passkey_removed: 3 * DAY_MS,
  recovery_codes_renewed: 3 * DAY_MS,
  recovery_code_used: 3 * DAY_MS,
  email_changed: 3 * DAY_MS,
  bank_details_changed: 3 * DAY_MS,
  password_guessed: DAY_MS,
  new_sign_in: DAY_MS,
  password_link: 30 * MINUTE_MS,
  confirm_email: 30 * MINUTE_MS,
  address_in_use: 30 * MINUTE_MS,
  attention: DAY_MS,
  // Maximum: the email also expires with the card's last month.
  card_expiring: 31 * DAY_MS,
};

/** Emails of one template per address and day. A visitor may type any address into a form. */
export const MAX_PER_ADDRESS_AND_DAY = 3;
