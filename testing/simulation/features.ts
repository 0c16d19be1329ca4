/** The possible events of a schedule. Each has a name, so that a world can run without it. */
export const FEATURES = {
  // Between the parts.
  lost_calls: "a call never arrives",
  lost_answers: "a call runs, but its response is lost",
  slow_calls: "a call or its response takes longer than any timeout",
  d1_away: "D1 does not respond for minutes",
  evictions: "an object is evicted, even while it works",
  killed_requests: "a request or a sweep is killed midway",
  late_alarms: "an alarm fires minutes late",
  double_alarms: "an alarm fires twice",
  lost_alarms: "an alarm never fires",
  overloaded_objects: "an overloaded object rejects calls",
  clock_skew: "an object's clock differs from the Workers' by up to two seconds",
  rate_limits: "a rate limit rejects a call",
  lost_storage: "an exchange loses its storage, and its leads are relisted from D1",
  // Between us and the recipients.
  messages: "emails, texts and notifications are sent",
  slow_senders: "… a mail, push or text service answers late",
  unsure_senders: "… its call or its answer is lost",
  failing_senders: "… it is busy, broken or refuses a message",
  text_reports: "… the text gateway reports each delivery late, twice or never",
  opt_outs: "… a customer opts out",
  queue: "… they go through the queue",
  late_queue: "… the queue delivers minutes late",
  double_queue: "… it delivers twice at once",
  lost_queue: "… it delivers nothing",
  full_queue: "… it accepts nothing",
  // At Stripe.
  stripe_busy: "Stripe is overloaded or has an internal error",
  lost_webhooks: "a webhook about a payment never arrives",
  lost_money_webhooks: "a webhook about a refund or a dispute never arrives",
  late_webhooks: "webhooks arrive late, twice and out of order",
  slow_cards: "a payment stays in processing",
  refused_cards: "a card is declined or needs 3-D Secure",
  refunds_by_hand: "an operator refunds in Stripe's dashboard",
  partial_refunds: "… only partly",
  pending_refunds: "a refund is pending for a while",
  failing_refunds: "a completed refund is returned later",
  disputes: "a cardholder disputes the charge",
  quick_disputes: "… and the bank decides within minutes",
  missing_payments: "Stripe no longer knows a payment, because the keys changed",
  wrong_amounts: "a payment's amount differs from its hold's",
  // People.
  double_clicks: "one press arrives twice at once, with the same Idempotency-Key",
  two_calls: "a window takes the lead with one call and creates its payment with the next",
  gone_in_between: "… and is gone, closed or slow in between",
  two_tabs: "two tabs of one business want the same lead",
  closed_dialogs: "a buyer closes the dialog",
  kept_cards: "a buyer saves a card and pays with it",
  paying_unattached: "… while the payment is not attached yet",
  reused_keys: "a claim key is used for a lead in another region",
  third_holds: "a business requests a third lead at once",
  giving: "admins claim and assign leads",
  credits: "a business claims with a free claim",
  direct_sales: "leads are sold without a card",
  withdrawals: "admins withdraw leads",
  moves: "admins move leads to another region",
  deactivations: "admins deactivate businesses and reactivate them",
  removals: "admins remove purchases",
  pauses: "admins pause a region",
  erasures: "a person is erased",
  erasing_movers: "… while their lead moves",
  rescues: "a buyer does not call, and the request is passed on",
  guarantee: "a lead is bad, and a rule gives its buyer a free claim",
  reviews: "a customer reviews the buyer of their lead",
  nightly: "the nightly checks run at the same time",
  windows: "browsers follow the market live",
  late_windows: "… some start later",
  cut_windows: "a browser's network is cut",
  sign_outs: "a user signs out, or is removed from a team",
  short_lives: "a lead expires within minutes",
} as const;

/** Without these faults, no call may end in an error. */
export const ERROR_FAULTS = [
  "lost_calls",
  "lost_answers",
  "slow_calls",
  "d1_away",
  "evictions",
  "killed_requests",
  "overloaded_objects",
  "stripe_busy",
  "missing_payments",
] as const satisfies (keyof typeof FEATURES)[];

/** Features that only make sense together with the listed ones. */
export const REQUIRED_FEATURES: Partial<Record<keyof typeof FEATURES, readonly (keyof typeof FEATURES)[]>> = {
  lost_money_webhooks: ["refunds_by_hand"],
  partial_refunds: ["refunds_by_hand"],
  failing_refunds: ["refunds_by_hand"],
  // The Worker refunds payments with a wrong amount.
  pending_refunds: ["wrong_amounts"],
  quick_disputes: ["disputes"],
  paying_unattached: ["kept_cards"],
  gone_in_between: ["two_calls"],
  erasing_movers: ["erasures", "moves"],
  slow_senders: ["messages"],
  unsure_senders: ["messages"],
  failing_senders: ["messages"],
  text_reports: ["messages"],
  opt_outs: ["messages"],
  queue: ["messages"],
  late_queue: ["messages", "queue"],
  double_queue: ["messages", "queue"],
  lost_queue: ["messages", "queue"],
  full_queue: ["messages", "queue"],
  late_windows: ["windows"],
  cut_windows: ["windows"],
};

export type Feature = keyof typeof FEATURES;

export const FEATURE_NAMES = Object.keys(FEATURES) as Feature[];

/** Features that are off because the product cannot handle them yet, with the reason. Currently none. */
export const DISABLED_FEATURES: Partial<Record<Feature, string>> = {};

/** Faults that only the nightly reconciliation is certain to repair. */
export const REPAIRED_NIGHTLY = [
  "lost_money_webhooks",
  "lost_alarms",
] as const satisfies (keyof typeof FEATURES)[];
