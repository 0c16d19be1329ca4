/** The possible events of a schedule. Each has a name, so that a world can run without it. */
export const FEATURES = {
  // Between the parts.
  calls: "a call or its answer is lost, or takes longer than any timeout",
  d1_away: "D1 does not respond for minutes",
  crashes: "an object is evicted, or a request or sweep is killed midway",
  alarms: "an alarm fires minutes late, or twice",
  overloaded_objects: "an overloaded object rejects calls",
  clock_skew: "an object's clock differs from the Workers' by up to two seconds",
  lost_storage: "an exchange loses its storage, and its leads are relisted from D1",
  // Between us and the recipients.
  messages: "emails, texts and notifications are sent",
  senders: "… their services lose calls, answer late, fail, refuse, or report texts late, twice or never",
  opt_outs: "… a customer opts out",
  queue: "… they go through the queue, which accepts nothing at times, or delivers late, twice or never",
  // At Stripe.
  stripe_busy: "Stripe is overloaded or has an internal error",
  webhooks: "a webhook arrives late, twice, out of order or never",
  cards: "a card is declined, needs 3-D Secure or stays in processing",
  refunds_by_hand: "an operator refunds in Stripe's dashboard, perhaps only partly",
  pending_refunds: "a refund is pending for a while, or is returned later",
  disputes: "a cardholder disputes the charge, and the bank decides within minutes or hours",
  missing_payments: "Stripe no longer knows a payment, because the keys changed",
  wrong_amounts: "a payment's amount differs from its hold's",
  // People.
  double_clicks: "a business presses twice: at once with one Idempotency-Key, or in two tabs",
  two_calls:
    "a window takes the lead with one call, and creates its payment with the next, if it is still there",
  closed_dialogs: "a buyer closes the dialog",
  kept_cards: "a buyer saves a card and pays with it, perhaps before the payment is attached",
  many_holds: "a business requests a third lead at once, or two leads with one claim key",
  giving: "admins claim and assign leads",
  free_claims: "a business claims with a free claim",
  direct_sales: "leads are sold without a card",
  withdrawals: "admins withdraw leads",
  moves: "admins move leads to another region",
  deactivations: "admins deactivate businesses and reactivate them",
  removals: "admins remove purchases",
  pauses: "admins pause a region",
  erasures: "a person is erased, perhaps while their lead moves",
  rescues: "a buyer does not call, and the request is passed on",
  guarantee: "a lead is bad, and a rule gives its buyer a free claim",
  reviews: "a customer reviews the buyer of their lead",
  nightly: "the nightly checks run at the same time",
  windows: "browsers follow the market live; some start later, and some networks are cut",
  sign_outs: "a user signs out, or is removed from a team",
  short_lives: "a lead expires within minutes",
} as const;

export type Feature = keyof typeof FEATURES;

export const FEATURE_NAMES = Object.keys(FEATURES) as Feature[];

/** Without these faults, no call may end in an error. */
export const ERROR_FAULTS: readonly Feature[] = [
  "calls",
  "d1_away",
  "crashes",
  "overloaded_objects",
  "stripe_busy",
  "missing_payments",
];

/** Features that only make sense together with another one. */
export const REQUIRED_FEATURES: Partial<Record<Feature, Feature>> = {
  senders: "messages",
  opt_outs: "messages",
  queue: "messages",
  pending_refunds: "refunds_by_hand",
};
