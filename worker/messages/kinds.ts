/** The words of the outbox. */

/** How a message goes out. `spread`: it is not one yet, but is to become one for each of its recipients. */
export type MessageChannel = "spread" | "push";

/** What is said; worker/messages/templates.ts has each one's reason, window and law. */
export type MessageTemplate = "new_lead" | "lead_digest" | "test";

/** `sent` was handed over, `expired` came too late, `dropped` was no longer wanted, `failed` cannot be sent. */
export type MessageState = "waiting" | "sent" | "expired" | "dropped" | "failed";

/** What a message is about, by ids and times; never anybody's words. */
export type MessagePayload = {
  /** `new_lead`: the lead, and the generation in which it was listed. */
  leadId?: string;
  generation?: number;
  /** `lead_digest`: when the first of its leads was asked for, epoch ms. */
  since?: number;
};
