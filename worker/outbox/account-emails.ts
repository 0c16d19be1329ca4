/** Emails to users about their own account. */
import { DAY_MS, MINUTE_MS } from "../../contract/durations.ts";
import { greetingOf } from "../../contract/names.ts";
import { formatCard } from "../../contract/payments.ts";
import { formatStars } from "../../contract/reviews.ts";
import { guaranteeDecision } from "./guarantee-email.ts";
import { emailEntry, type EmailFacts, type EmailContent, type Reach } from "./template.ts";

/** Wrong passwords from unknown devices before the account's owner gets an email. */
export const GUESSES_BEFORE_NOTICE = 10;

/** Emails about accounts that a stranger can trigger. */
export const STRANGERS_ACCOUNT_EMAILS: readonly string[] = [
  "password_link",
  "confirm_email",
  "password_guessed",
];

type Named = { firstName: string };

/** Builds a security notice. It says what happened and how to report it if the user did not do it. */
function noticeMail(
  { firstName, reach }: EmailFacts["account"],
  subject: string,
  what: readonly string[],
): EmailContent {
  return {
    subject,
    parts: [
      greetingOf(firstName),
      ...what,
      `If that was you, or you know about it, you don't need to do anything. If not, call us on ${reach.contactPhone} or email ${reach.contactEmail} straight away.`,
    ],
  };
}

const notice = (subject: string, ...what: readonly string[]) =>
  emailEntry({
    about: "account",
    reason: "Something about their account changed, and they should know even if it was not them.",
    lifetimeMs: 3 * DAY_MS,
    email: (facts) => noticeMail(facts, subject, what),
  });

const linkNotice = (creator: string) => ({
  ...notice(
    "Someone created a password reset link for your Naturestrip account",
    `${creator} created a one-time link. Anyone who opens it within 24 hours can choose a new password for your account. Until then, your password stays the same.`,
  ),
  lifetimeMs: DAY_MS,
});

/** Security notices, sent to the account's address from before the change. */
export const NOTICES = {
  link_made_by_support: linkNotice("Our support team"),
  link_made_by_owner: linkNotice("The owner of your business"),
  passkey_added: notice(
    "A passkey was added to your Naturestrip account",
    "A passkey was added to your account. From now on, you can sign in with your password and a passkey, or with a passkey alone.",
  ),
  passkey_removed: notice(
    "A passkey was removed from your Naturestrip account",
    "A passkey was removed from your account. It no longer works.",
  ),
  recovery_codes_renewed: notice(
    "New recovery codes for your Naturestrip account",
    "Someone created new recovery codes for your account. The old ones no longer work.",
  ),
  recovery_code_used: notice(
    "Someone used a recovery code on your Naturestrip account",
    "Someone signed in to your account with your password and one of your recovery codes. That code won't work again.",
  ),
  email_changed: notice(
    "The email address on your Naturestrip account was changed",
    "Your account has a new email address. From now on, we'll email that address, not this one.",
  ),
  bank_details_changed: notice(
    "The bank details on your Naturestrip account were changed",
    "The bank details on your account were changed or deleted.",
  ),
  account_closed: notice(
    "Your Naturestrip account is closed",
    "Your account was closed in Settings, and we're deleting your data and your team's. By law we have to keep your payment records, but without your name.",
  ),
  customer_account_closed: notice(
    "Your Naturestrip account is closed",
    "Your account was deleted under Your Requests. We're removing it and the requests sent while signed in.",
  ),
  new_sign_in: {
    ...notice(
      "Someone signed in to your Naturestrip account on a new device",
      "Someone signed in to your account on a device we don't recognise, from a network you haven't used before.",
      "Go to Settings to see which device it was and when it signed in. You can sign it out there, and choose a new password.",
    ),
    lifetimeMs: DAY_MS,
    key: ({ userId, hour }: { userId: string; hour: number }) => `${userId}:${hour}`,
  },
  password_guessed: {
    ...notice(
      "Someone is trying to guess your password",
      `Someone has tried at least ${GUESSES_BEFORE_NOTICE} wrong passwords on your Naturestrip account, on devices you haven't signed in on before. None of them was right.`,
      "You're not locked out: you can sign in as usual on the devices you use. On a new device, choose “Forgot password?” if it asks you to wait.",
      "A long password you don't use anywhere else keeps guessers out. You can choose one in Settings.",
    ),
    lifetimeMs: DAY_MS,
  },
};

export type NoticeTemplate = keyof typeof NOTICES;

const listFormat = new Intl.ListFormat("en-AU", { type: "conjunction" });
const dayFormat = new Intl.DateTimeFormat("en-AU", { timeZone: "UTC", day: "numeric", month: "long" });

function expiringCards({
  firstName,
  cards,
  month,
  validCard,
  reach: { siteUrl },
}: EmailFacts["cards"]): EmailContent {
  const isOne = cards.length === 1;
  const names = listFormat.format(cards.map(formatCard));
  const [year, index] = month.split("-").map(Number) as [number, number];
  const last = dayFormat.format(Date.UTC(year, index, 0));
  const first = dayFormat.format(Date.UTC(year, index, 1));
  const others = isOne ? "that card" : "those cards";
  return {
    subject: `Your ${names} ${isOne ? "expires" : "expire"} this month`,
    parts: [
      greetingOf(firstName),
      `Your saved ${names} ${isOne ? "expires" : "expire"} on ${last}.`,
      validCard
        ? `From ${first} you can't pay with ${others}. You can still buy leads with one tap, using your ${formatCard(validCard)}.`
        : `From ${first} you'll need to enter a card to buy a lead.`,
      "Got a new card? Next time you buy a lead, choose “Another card”, enter its details and tick “Save this card”. You can see and remove your cards in Settings, under Bank Details.",
      ...(siteUrl ? [{ link: `${siteUrl}/settings?tab=bank#cards`, words: "See your cards" }] : []),
      "Nothing else changes. Your account, leads and receipts stay as they are.",
    ],
  };
}

/** Builds the email about open alerts. It contains ids and amounts only, no names. */
function attentionMail({ firstName, items, reach: { siteUrl } }: EmailFacts["attention"]): EmailContent {
  const count = items.length === 1 ? "One thing needs" : `${items.length} things need`;
  return {
    subject: `${count} your attention at Naturestrip`,
    parts: [
      greetingOf(firstName),
      `${count} your attention:`,
      { list: items.map(({ detail, subjectId }) => `${detail} (${subjectId})`) },
      siteUrl
        ? { link: `${siteUrl}/admin`, words: "Open the list" }
        : "You'll find the list on the main admin page.",
    ],
  };
}

/** Builds the email about a check: an admin's decision, the reminder before its last day, or its end. */
function checkMail({
  firstName,
  news,
  name,
  endsOn,
  reason,
  isVerified,
  reach,
}: EmailFacts["check"]): EmailContent {
  const badge = isVerified
    ? "Your business is verified."
    : "Your business isn't verified. Verified businesses have a current ABN, public liability insurance and police check.";
  const renew = "Please send us the new one in Settings, under Checks.";
  const [subject, ...what] = {
    valid: [
      `We've checked your ${name}`,
      `We've checked your ${name}${endsOn ? `. It's valid until ${endsOn}` : ""}.`,
      badge,
    ],
    refused: [
      `We couldn't accept your ${name}`,
      `We couldn't accept your ${name}. Here's why: ${reason}`,
      "You can send it again in Settings, under Checks.",
      badge,
    ],
    ending: [
      `Your ${name} expires soon`,
      `Your ${name} is valid until ${endsOn}.`,
      renew,
      isVerified ? "If we don't have it by then, your business won't be verified any more." : badge,
    ],
    ended: [`Your ${name} has expired`, `Your ${name} was valid until ${endsOn}.`, renew, badge],
  }[news] as [string, ...string[]];
  const { siteUrl, contactPhone } = reach;
  return {
    subject,
    parts: [
      greetingOf(firstName),
      ...what,
      ...(siteUrl ? [{ link: `${siteUrl}/settings#checks`, words: "See your checks" }] : []),
      `Questions? Call us on ${contactPhone}.`,
    ],
  };
}

/** Other emails to an account's address. */
const OTHER_EMAILS = {
  attention: emailEntry({
    about: "attention",
    reason: "Something needs a super admin.",
    lifetimeMs: DAY_MS,
    key: ({ run }: { run: string }) => run,
    email: attentionMail,
  }),
  check_news: emailEntry({
    about: "check",
    reason: "An admin decided about a check of their business, or the check expires soon or has expired.",
    lifetimeMs: 3 * DAY_MS,
    key: ({ news, key }: { news: string; key: string }) => `${news}:${key}`,
    email: checkMail,
  }),
  guarantee_decision: guaranteeDecision,
  card_expiring: emailEntry({
    about: "cards",
    reason: "Cards they saved for buying leads expire at the end of the month.",
    // The email also expires with the card's last month, if that is earlier.
    lifetimeMs: 31 * DAY_MS,
    key: ({ month, cardIds }: { month: string; cardIds: string[] }) => `${month}:${cardIds.join(",")}`,
    email: expiringCards,
  }),
  review_email: emailEntry({
    about: "newReview",
    reason: "A customer reviewed their business, and they can reply.",
    lifetimeMs: 3 * DAY_MS,
    key: ({ purchaseId }: { purchaseId: string }) => purchaseId,
    email: ({ firstName, request: { services, place }, stars, reach: { siteUrl } }) => ({
      subject: `You have a new review: ${formatStars(stars)}`,
      parts: [
        greetingOf(firstName),
        `A customer has reviewed your business after their request for ${place ? `${services} in ${place}` : services}. They gave you ${formatStars(stars)}.`,
        siteUrl
          ? { link: `${siteUrl}/my-reviews`, words: "Read it and reply" }
          : "You can read it and reply under Reviews.",
        "Everyone can read your reply, below the review.",
      ],
    }),
  }),
  password_link: emailEntry({
    about: "passwordLink",
    reason: "They asked for a new password.",
    lifetimeMs: 30 * MINUTE_MS,
    email: ({ firstName, link }) => ({
      subject: "Choose a new password for Naturestrip",
      parts: [
        greetingOf(firstName),
        "Someone (hopefully you) asked for a new password for your Naturestrip account.",
        { link, words: "Choose a new password" },
        "The link works once, for up to 24 hours. If it wasn't you, you don't need to do anything. Your password stays the same.",
      ],
    }),
  }),
  confirm_email: emailEntry({
    about: "emailLink",
    reason: "They gave their account a new address.",
    lifetimeMs: 30 * MINUTE_MS,
    email: ({ firstName, link }) => ({
      subject: "Confirm your email for Naturestrip",
      parts: [
        greetingOf(firstName),
        "Is this your email address? Confirm it for your Naturestrip account.",
        { link, words: "Confirm this address" },
        "The link works once, for up to 24 hours. If you didn't ask for it, you don't need to do anything. We won't use the address unless you confirm it.",
      ],
    }),
  }),
};

export const ACCOUNT_EMAILS = { ...NOTICES, ...OTHER_EMAILS };

/** Builds an email that an admin wrote to a provider. */
export function adminMail(
  { firstName }: Named,
  { contactPhone, contactEmail }: Omit<Reach, "siteUrl">,
  words: string,
): EmailContent {
  return {
    subject: "A message from Naturestrip",
    parts: [
      greetingOf(firstName),
      ...words.split(/\n{2,}/),
      `Questions? Call us on ${contactPhone} or email ${contactEmail}.`,
    ],
  };
}
