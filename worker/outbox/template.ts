/** Types of a registry entry: the facts that worker/messages/ loads, and the content that a render returns. */
import type { AnnouncedState, GuaranteeCase } from "../../contract/guarantee.ts";
import type { ShownCheck } from "../../contract/checks.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import type { PublicReviews } from "../../contract/reviews.ts";
import type { OwnUpdateKind } from "../../contract/request-links.ts";
import type { MessagePayload } from "../platform/db/message-types.ts";

/** A paragraph of an email, a button or a list. */
export type EmailPart = string | { link: string; words: string } | { list: readonly string[] };

/**
 * An email before layout. `stop`: the unsubscribe link. Null if there is no link; the email then asks the recipient to
 * contact us.
 */
export type EmailContent = { subject: string; parts: readonly EmailPart[]; stop?: string | null };

/** A notification's content, and its delivery options for the push service. */
export type PushContent = {
  title: string;
  body: string;
  /** The page that a click opens. Declarative Web Push requires an absolute URL. */
  navigate: string;
  /** A later notification with the same tag replaces the earlier one. */
  tag: string;
  /** While the device is offline, a later message with the same topic replaces the earlier one. */
  topic: string;
  urgency: "high" | "normal";
};

/** Our contact details for the recipient. `siteUrl`: start of links to the site; null if it has no host. */
export type Reach = { contactPhone: string; contactEmail: string; siteUrl: string | null };

/** A request's services and place, as labels. */
export type RequestLabels = { services: string; place: string | null };

/** A saved card's brand and last four digits. */
export type NamedCard = { brand: string; last4: string };

type Account = { firstName: string; reach: Reach };
type AboutLead = { summary: LeadSummary; origin: string };
type TeamLead = AboutLead & { purchaseId: string; tab: string };

/** The facts of an email or a text, by subject. The sender loads them. */
export type EmailFacts = {
  account: Account;
  /** `link`: absolute URL with a new secret. */
  passwordLink: Account & { link: string };
  emailLink: Account & { link: string };
  /** `news`: what happened to the check. `name` and `endsOn` are for display. `reason`: why it was declined. */
  check: Account & {
    news: "valid" | "refused" | "ending" | "ended";
    name: string;
    endsOn: string | null;
    reason: string | null;
    isVerified: boolean;
  };
  /** A decision under the guarantee about a bought lead. */
  guarantee: Account & {
    request: RequestLabels;
    decision: Pick<GuaranteeCase, "rule" | "state" | "answer" | "canContest">;
    purchaseId: string;
  };
  attention: Account & { items: readonly { detail: string; subjectId: string }[] };
  /**
   * `cards`: one or more expiring cards. `month`: their last month, such as "2026-11". `validCard`: a card that still
   * works.
   */
  cards: Account & { cards: readonly NamedCard[]; month: string; validCard: NamedCard | null };
  /** `status`: the lead's status. `pageLink`: a new secret link to the request's page; null without a site host. */
  request: { request: RequestLabels; status: string; reach: Reach; pageLink: string | null };
  /**
   * `company`: the name on the buyer's account. `callBy`: when the buyer's time to call ends, epoch ms; null without a
   * clock. `takesReplies`: whether we receive replies to texts.
   */
  purchase: {
    request: RequestLabels;
    company: string;
    phone: string | null;
    rating: Pick<PublicReviews, "mean" | "shown">;
    checks: readonly ShownCheck[];
    callBy: number | null;
    reach: Reach;
    takesReplies: boolean;
    pageLink: string | null;
  };
  /**
   * `isAgain`: the customer said "not yet", but the provider logged a call. `isUnclear`: their reply was neither yes nor
   * no. `pageLink`: as above.
   */
  callQuestion: {
    request: RequestLabels;
    company: string;
    reach: Reach;
    takesReplies: boolean;
    isAgain: boolean;
    isUnclear: boolean;
    pageLink: string;
  };
  /** `reviewLink`: absolute URL of the review's page, with a new secret. */
  reviewInvitation: {
    request: RequestLabels;
    company: string;
    reach: Reach;
    takesReplies: boolean;
    reviewLink: string;
  };
  /** An admin hid the customer's review. `rule`: why, as a sentence without its full stop. */
  hiddenReview: {
    request: RequestLabels;
    company: string;
    rule: string;
    reach: Reach;
    takesReplies: boolean;
  };
  newReview: Account & { request: RequestLabels; stars: number };
  /** The provider says that the customer missed their calls. `pageLink`: as above. */
  missedCalls: {
    request: RequestLabels;
    company: string;
    reach: Reach;
    takesReplies: boolean;
    pageLink: string;
  };
  /** `link`: absolute URL with a new secret. */
  requestList: { link: string };
  /** `reference`: the visitor can read it out over the phone. */
  booking: { inspection: RequestLabels; reference: string | null; reach: Reach };
};

/** The facts of a notification, by subject. `summary`: the lead as rivals see it. */
export type PushFacts = {
  newLead: AboutLead;
  /** `leads`: one or more leads that are still for sale, newest first. */
  digest: { leads: readonly LeadSummary[]; origin: string };
  /** `isGiven`: an admin assigned the lead. */
  sale: AboutLead & { purchaseId: string; isGiven: boolean };
  /** `endsAt`: when the hold expires, epoch ms. */
  hold: AboutLead & { endsAt: number };
  /** `isForSale`: whether the lead can still be bought. */
  lapse: AboutLead & { isForSale: boolean };
  /** `cents`: the full amount. `isTheirs`: the buyer got the lead with another payment. */
  refund: AboutLead & { cents: number; isTheirs: boolean };
  answer: AboutLead & { purchaseId: string };
  /** `endsAt`: when the time to call ends, epoch ms. */
  callReminder: AboutLead & { purchaseId: string; endsAt: number };
  /** `answer`: what the customer said about the call. `endsAt`: as above; null when it has ended. */
  callAnswer: AboutLead & { purchaseId: string; answer: "not_yet" | "never_asked"; endsAt: number | null };
  review: AboutLead & { stars: number };
  hiddenOwnReview: AboutLead;
  freeClaim: AboutLead & { purchaseId: string; state: AnnouncedState };
  update: AboutLead & { purchaseId: string; kind: OwnUpdateKind };
  /** `by`: the author's first name; null if the author has left. */
  mention: TeamLead & { by: string | null };
  teamSale: TeamLead;
  /** `endsAt`: when the offer ends, epoch ms. */
  rescueOffer: AboutLead & { endsAt: number };
  rescued: AboutLead & { purchaseId: string };
  /** `isTeam`: a team member, who receives no new-lead alerts. */
  test: { origin: string; isTeam: boolean };
};

type Rules<Subject> = {
  /** Why the recipient gets this message. */
  reason: string;
  /** The message expires after this long, in ms. */
  lifetimeMs: number;
  /** Returns the dedupe key within the template. The default is the message's id, so every message is sent. */
  key?: (subject: Subject) => string;
};

export type EmailEntry<About extends keyof EmailFacts, Subject> = Rules<Subject> & {
  about: About;
  /** Returns null to drop an email that is no longer true. */
  email: (facts: EmailFacts[About]) => EmailContent | null;
  text?: (facts: EmailFacts[About]) => string;
};

export type PushEntry<About extends keyof PushFacts, Subject> = Rules<Subject> & {
  about: About;
  /** A device gets one message per window of this many ms. 0 means one for each key. */
  windowMs: number;
  key: (subject: Subject) => string;
  push: (facts: PushFacts[About]) => PushContent;
};

/** Checks the renders of an email or a text against the facts of its subject. */
export const emailEntry = <About extends keyof EmailFacts, Subject extends object = MessagePayload>(
  entry: EmailEntry<About, Subject>,
) => entry;

/** Checks the render of a notification against the facts of its subject. */
export const pushEntry = <About extends keyof PushFacts, Subject extends object = MessagePayload>(
  entry: PushEntry<About, Subject>,
) => entry;
