/** All messages that this product sends. To add one, write its value in the feature's `messages.ts` and list it here. */
import { requestList } from "../customer/my-requests/messages.ts";
import { requestTaken } from "../customer/request/messages.ts";
import { checkNews } from "../identity/checks/messages.ts";
import {
  bankDetailsChanged,
  confirmEmailLink,
  emailChanged,
  linkMadeByOwner,
  linkMadeBySupport,
  newSignIn,
  passkeyAdded,
  passkeyRemoved,
  passwordGuessed,
  passwordLink,
  recoveryCodesRenewed,
  recoveryCodeUsed,
} from "../identity/messages.ts";
import { leadDigest, newLead } from "../leads/alerts/messages.ts";
import { inspectionReceived } from "../leads/bookings/messages.ts";
import {
  leadWon,
  requestExpired,
  requestReceived,
  requestWithdrawn,
  rescueOffer,
  teamSale,
} from "../leads/messages.ts";
import { requestEmailAdded, requestEmailRemoved } from "../customer/changes/messages.ts";
import { adminAttention } from "../operations/attention/messages.ts";
import { accountClosed, customerAccountClosed } from "../operations/erasure/messages.ts";
import type { Enqueued, MailMessage, PushMessage } from "../outbox/message.ts";
import { customerAnswered, customerUpdate } from "../pipeline/answers/messages.ts";
import { callAnswered, callReminder, didTheyCall } from "../customer/calls/messages.ts";
import { freeClaimDecided, guaranteeDecision, missedCalls } from "../pipeline/guarantee/messages.ts";
import { mentioned } from "../pipeline/purchases/messages.ts";
import { leadRescued } from "../customer/rescue/messages.ts";
import {
  ownReviewHidden,
  reviewEmail,
  reviewHidden,
  reviewInvitation,
  reviewWritten,
} from "../pipeline/reviews/messages.ts";
import { cardExpiring, holdLapsed, holdLapsing, paidTooLate } from "../selling/payments/messages.ts";
import { testMessage } from "./commands.ts";

/** Emails to users. */
const ACCOUNT_EMAILS = [
  accountClosed,
  adminAttention,
  bankDetailsChanged,
  cardExpiring,
  checkNews,
  confirmEmailLink,
  customerAccountClosed,
  emailChanged,
  guaranteeDecision,
  linkMadeByOwner,
  linkMadeBySupport,
  newSignIn,
  passkeyAdded,
  passkeyRemoved,
  passwordGuessed,
  passwordLink,
  recoveryCodesRenewed,
  recoveryCodeUsed,
  reviewEmail,
];

/** Emails and texts to visitors. */
const VISITOR_MESSAGES = [
  didTheyCall,
  inspectionReceived,
  missedCalls,
  requestEmailAdded,
  requestEmailRemoved,
  requestExpired,
  requestList,
  requestReceived,
  requestTaken,
  requestWithdrawn,
  reviewHidden,
  reviewInvitation,
];

const NOTIFICATIONS = [
  callAnswered,
  callReminder,
  customerAnswered,
  customerUpdate,
  freeClaimDecided,
  holdLapsed,
  holdLapsing,
  leadDigest,
  leadRescued,
  leadWon,
  mentioned,
  newLead,
  ownReviewHidden,
  paidTooLate,
  rescueOffer,
  reviewWritten,
  teamSale,
  testMessage,
];

const BY_NAME = new Map<string, Enqueued<never>>(
  [...ACCOUNT_EMAILS, ...VISITOR_MESSAGES, ...NOTIFICATIONS].map((message) => [message.name, message]),
);

function messageOf(name: string): Enqueued<never> {
  const message = BY_NAME.get(name);
  if (!message) throw new Error(`No such message: ${name}`);
  return message;
}

/** Returns how long a message lasts, in ms. @throws Error for a name that this release does not know */
export const lifetimeOf = (name: string): number => messageOf(name).lifetimeMs;

/** Returns whether this release knows a stored name. */
export const isKnown = (name: string): boolean => BY_NAME.has(name);

/** @throws Error for a name that this release does not know, or of an email */
export function notificationOf(name: string): PushMessage<never, object, unknown> {
  const message = messageOf(name);
  if (!("push" in message)) throw new Error(`${name} has no notification`);
  return message as unknown as PushMessage<never, object, unknown>;
}

/** @throws Error for a name that this release does not know, or of a notification */
export function mailOf(name: string): MailMessage<never, object> {
  const message = messageOf(name);
  if (!("email" in message)) throw new Error(`${name} has no email`);
  return message as unknown as MailMessage<never, object>;
}
