/** The words of the outbox. */

/** How a message goes out. `spread`: it is not one yet, but is to become one for each of its recipients. */
export type MessageChannel = "spread" | "push" | "email" | "sms";

/** What a provider is told of a lead they are buying, or have bought. */
export type OwnLeadTemplate =
  | "lead_won"
  | "hold_lapsing"
  | "hold_lapsed"
  | "paid_too_late"
  | "customer_answered";

/** What is said to people of a business about a lead it has: team members, and of mentions also the owner. */
export type TeamTemplate = "mentioned" | "team_sale";

/** What is said to a device; templates.ts has each one's reason, window and law. */
export type PushTemplate = "new_lead" | "lead_digest" | OwnLeadTemplate | TeamTemplate | "test";

/** What is written to a visitor about their request. */
export type RequestTemplate =
  | "request_received"
  | "request_taken"
  | "request_withdrawn"
  | "request_expired"
  | "inspection_received";

/** What happened to somebody's account: said to the address it had before. */
export type NoticeTemplate =
  | "link_made_by_support"
  | "link_made_by_owner"
  | "passkey_added"
  | "passkey_removed"
  | "recovery_codes_renewed"
  | "recovery_code_used"
  | "email_changed"
  | "bank_details_changed"
  | "password_guessed"
  | "new_sign_in";

/** What is written by email; email-rules.ts has how long each one is worth sending. */
export type EmailTemplate =
  | RequestTemplate
  | NoticeTemplate
  | "password_link"
  | "confirm_email"
  | "address_in_use"
  | "attention"
  | "card_expiring";

export type MessageTemplate = PushTemplate | EmailTemplate;

/** `sent` was handed over, `delivered` is on its phone as the gateway says, `expired` came too late, `dropped` was no longer wanted, `failed` cannot be sent. */
export type MessageState = "waiting" | "sent" | "delivered" | "expired" | "dropped" | "failed";

/** What a message is about, by ids and times; never anybody's words. */
export type MessagePayload = {
  /** The lead it is about; of `new_lead` also the generation in which it was listed. */
  leadId?: string;
  generation?: number;
  /** `lead_digest`: when the first of its leads was asked for, epoch ms. */
  since?: number;
  /** `request_taken`, `lead_won`, `customer_answered`: whose it is now; `mentioned`, `team_sale`: the purchase. */
  purchaseId?: string;
  /** `mentioned`: who wrote it. */
  byUserId?: string;
  /** `hold_lapsing`, `hold_lapsed`: which hold; `endsAt`: when it lapses, epoch ms. */
  holdId?: string;
  endsAt?: number;
  /** `paid_too_late`: the payment that goes back. */
  paymentIntentId?: string;
  /** `password_link`, `confirm_email`: the link, whose secret is made when it is sent. */
  linkId?: string;
  /** Where a link leads, e.g. "https://naturestrip.example". */
  origin?: string;
  /** `card_expiring`: the cards as Stripe names them, and their last month, such as "2026-11". */
  cardIds?: string[];
  month?: string;
  /** `attention`: the moment at which its things were taken to be told, epoch ms. */
  toldAt?: number;
};

/** What one message of the queue holds. */
export type Queued = { ids: string[] };
