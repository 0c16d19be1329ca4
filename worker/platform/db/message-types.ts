/** How a message is sent. A `spread` is not sent: it is expanded into one message per recipient. */
export type MessageChannel = "spread" | "push" | "email" | "sms";

/**
 * `sent`: accepted by the service. `delivered`: the gateway confirmed delivery. `expired`: too late to send. `dropped`:
 * no longer needed. `failed`: cannot be sent. `bounced`: the recipient's server permanently refused the email.
 */
export type MessageState = "waiting" | "sent" | "delivered" | "expired" | "dropped" | "failed" | "bounced";

/** The subject of a message: only ids and times, never personal text. */
export type MessagePayload = {
  /** The lead; for `new_lead` also the generation in which it was listed. */
  leadId?: string;
  generation?: number;
  /** `lead_digest`: when its first lead was requested, epoch ms. */
  since?: number;
  /** The purchase, for messages about a sale, its customer or its notes. */
  purchaseId?: string;
  /** `did_they_call`: whether the customer is asked once more. */
  isAgain?: boolean;
  /** `did_they_call`: whether the customer's reply to the question was unclear. */
  isUnclear?: boolean;
  /**
   * `customer_update`: what the customer did. `call_answered`: the customer's response, or `last_call`.
   * `guarantee_decision`, `free_claim_decided`: the state of the case.
   */
  kind?: string;
  /** `mentioned`: the author. */
  byUserId?: string;
  /** `hold_lapsing`, `hold_lapsed`: the hold. `endsAt`: when it or the time to call ends, epoch ms. */
  holdId?: string;
  endsAt?: number;
  /** `paid_too_late`: the payment that is refunded. */
  paymentIntentId?: string;
  /** `password_link`, `confirm_email`: the link. Its secret is created when the message is sent. */
  linkId?: string;
  /** The origin of the link, also for `request_list`, such as "https://naturestrip.example". */
  origin?: string;
  /** `card_expiring`: Stripe's ids of the cards, and the month they expire, such as "2026-11". */
  cardIds?: string[];
  month?: string;
  /** `check_news`: the check. Its `kind` says what happened to it. */
  checkId?: string;
  /** `attention`: the kind, subject and time (epoch ms) of each item that it reports. */
  items?: [kind: string, subjectId: string, since: number][];
};

/** The body of one queue message. */
export type Queued = { ids: string[] };
