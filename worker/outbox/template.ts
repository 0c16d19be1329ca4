/** The parts of a registry entry: the facts that worker/messages/ loads, and the content that a render returns. */
import type { LeadSummary } from "../../contract/leads.ts";
import type { MessagePayload } from "../platform/db/message-types.ts";

/** A paragraph of an email, a button or a list. */
export type Part = string | { link: string; words: string } | { list: readonly string[] };

/**
 * An email before it is laid out. `stop`: the link that unsubscribes the recipient from this kind of email. Null if
 * there is no link: the email then asks the recipient to contact us.
 */
export type Mail = { subject: string; parts: readonly Part[]; stop?: string | null };

/** A notification as the device shows it, and its delivery options for the push service. */
export type PushContent = {
  title: string;
  body: string;
  /** The page that a click opens. Absolute, as the declarative form requires. */
  navigate: string;
  /** A later notification with the same tag replaces the earlier one. */
  tag: string;
  /** Until the service reaches the device, a later message with the same topic replaces the earlier one. */
  topic: string;
  urgency: "high" | "normal";
};

/** How a recipient reaches us, and the site's host; null if it has none of its own. */
export type Reach = { contactPhone: string; contactEmail: string; siteHost: string | null };

/** A request, in the labels of our lists. */
export type RequestLabels = { services: string; place: string | null };

/** A saved card, as its owner knows it. */
export type NamedCard = { brand: string; last4: string };

type Account = { firstName: string; reach: Reach };
type AboutLead = { summary: LeadSummary; origin: string };
type TeamLead = AboutLead & { purchaseId: string; tab: string };

/** The facts of an email or a text, by its subject. They are loaded when it is sent. */
export type LetterFacts = {
  account: Account;
  /** `link`: absolute, with a new secret. */
  passwordLink: Account & { link: string };
  emailLink: Account & { link: string };
  /** `origin`: of the site, such as "https://naturestrip.example". */
  addressHolder: Account & { origin: string };
  attention: Account & { items: readonly { detail: string; subjectId: string }[] };
  /** `cards`: those that expire, at least one. `month`: their last one, such as "2026-11". `goesOn`: pays after it. */
  cards: Account & { cards: readonly NamedCard[]; month: string; goesOn: NamedCard | null };
  /** `status`: of the lead. */
  request: { request: RequestLabels; status: string; reach: Reach };
  /** `company`: the name on the buyer's account. `takesReplies`: whether replies to a text reach us. */
  purchase: { request: RequestLabels; company: string; reach: Reach; takesReplies: boolean };
  /** `reference`: the visitor can read it out over the phone. */
  booking: { inspection: RequestLabels; reference: string | null; reach: Reach };
};

/** The facts of a notification, by its subject. `summary`: as rivals see the lead. */
export type PushFacts = {
  newLead: AboutLead;
  /** `leads`: still for sale, newest first; at least one. */
  digest: { leads: readonly LeadSummary[]; origin: string };
  /** `isGiven`: an admin assigned the lead. */
  sale: AboutLead & { purchaseId: string; isGiven: boolean };
  /** `endsAt`: when the hold lapses, epoch ms. */
  hold: AboutLead & { endsAt: number };
  /** `isForSale`: whether the lead can still be bought. */
  lapse: AboutLead & { isForSale: boolean };
  /** `cents`: the full amount. `isTheirs`: the buyer has the lead through another payment. */
  refund: AboutLead & { cents: number; isTheirs: boolean };
  answer: AboutLead & { purchaseId: string };
  /** `by`: the writer's first name; null if the writer has left. */
  mention: TeamLead & { by: string | null };
  teamSale: TeamLead;
  /** `isTeam`: a team member, who receives no new-lead alerts. */
  test: { origin: string; isTeam: boolean };
};

type Rules<Subject> = {
  /** Why the recipient gets it. */
  reason: string;
  /** Later than this, in ms, it is dropped. */
  lifetimeMs: number;
  /** The dedupe key within the template. Left out: the message's id, so that each one is sent. */
  key?: (subject: Subject) => string;
};

export type LetterEntry<About extends keyof LetterFacts, Subject> = Rules<Subject> & {
  about: About;
  /** Returns null when it is no longer true, and so not sent. */
  email: (facts: LetterFacts[About]) => Mail | null;
  text?: (facts: LetterFacts[About]) => string;
};

export type PushEntry<About extends keyof PushFacts, Subject> = Rules<Subject> & {
  about: About;
  /** A device gets one per window, in ms. Later ones are merged. 0: one for each key. */
  windowMs: number;
  key: (subject: Subject) => string;
  push: (facts: PushFacts[About]) => PushContent;
};

/** Checks the renders of an email or a text against the facts of its subject. */
export const letter = <About extends keyof LetterFacts, Subject extends object = MessagePayload>(
  entry: LetterEntry<About, Subject>,
) => entry;

/** Checks the render of a notification against the facts of its subject. */
export const notification = <About extends keyof PushFacts, Subject extends object = MessagePayload>(
  entry: PushEntry<About, Subject>,
) => entry;
