/** Emails to users about their own account. Plain words, no link that asks for a password. */
import { greetingOf } from "../../contract/names.ts";
import { formatCard } from "../../contract/payments.ts";
import { NOTIFY_AT } from "../identity/auth/guess-counters.ts";
import type { UserRow } from "../platform/session.ts";
import type { Mail } from "./email-layout.ts";
import type { NoticeTemplate } from "../platform/db/message-types.ts";

/** Where a user reports an action that was not their own: this deployment's phone and address. */
export type Contact = { contactPhone: string; contactEmail: string };

type Named = Pick<UserRow, "firstName">;

const linkMade = (maker: string) => ({
  subject: "A password link was made for your Naturestrip account",
  what: [
    `${maker} made a one-time link. Anyone who opens it within 24 hours can choose a new password for your account. Until then your password stays as it is.`,
  ],
});

const NOTICES: Readonly<Record<NoticeTemplate, { subject: string; what: readonly string[] }>> = {
  link_made_by_support: linkMade("Our support team"),
  link_made_by_owner: linkMade("The owner of your business"),
  passkey_added: {
    subject: "A passkey was added to your Naturestrip account",
    what: [
      "A passkey was added to your account. From now on you sign in with your password and a passkey, or with a passkey alone.",
    ],
  },
  passkey_removed: {
    subject: "A passkey was removed from your Naturestrip account",
    what: ["A passkey was removed from your account. It no longer works."],
  },
  recovery_codes_renewed: {
    subject: "New recovery codes for your Naturestrip account",
    what: ["New recovery codes were made for your account. The old ones no longer work."],
  },
  recovery_code_used: {
    subject: "A recovery code opened your Naturestrip account",
    what: [
      "Someone signed in to your account with your password and one of your recovery codes. That code won't work again.",
    ],
  },
  email_changed: {
    subject: "The email address on your Naturestrip account was changed",
    what: ["Your account has a new email address. From now on we'll write to that one, not this one."],
  },
  bank_details_changed: {
    subject: "The bank details on your Naturestrip account were changed",
    what: ["The bank details on your account were changed or deleted."],
  },
  new_sign_in: {
    subject: "Someone signed in to your Naturestrip account on a new device",
    what: [
      "Someone signed in to your account on a device we didn't know, from a network you hadn't used before.",
      "Settings shows you which device it was and when. You can sign it out there, and choose a new password.",
    ],
  },
  password_guessed: {
    subject: "Someone is guessing your password",
    what: [
      `Someone has tried at least ${NOTIFY_AT} wrong passwords on your Naturestrip account, from places you haven't signed in from. None of them was right.`,
      "You're not locked out: on your own devices and your usual network you can sign in as always. Anywhere new, you may have to wait up to half a minute.",
      "A long password you don't use anywhere else keeps guessers out. You can choose one in Settings.",
    ],
  },
};

export const isNotice = (template: string): template is NoticeTemplate => Object.hasOwn(NOTICES, template);

export function notice(
  { firstName }: Named,
  { contactPhone, contactEmail }: Contact,
  what: NoticeTemplate,
): Mail {
  const { subject, what: words } = NOTICES[what];
  return {
    subject,
    parts: [
      greetingOf(firstName),
      ...words,
      `If that was you, or you know about it, there's nothing to do. If not, call us on ${contactPhone} or email ${contactEmail} straight away.`,
    ],
  };
}

/** Builds an email that an admin wrote to a provider. */
export function fromUs({ firstName }: Named, { contactPhone, contactEmail }: Contact, words: string): Mail {
  return {
    subject: "A message from Naturestrip",
    parts: [
      greetingOf(firstName),
      ...words.split(/\n{2,}/),
      `Questions? Call us on ${contactPhone} or email ${contactEmail}.`,
    ],
  };
}

/**
 * Tells a super admin what needs attention. It has ids and amounts only: no name goes by email.
 * @param host the site's host; null if it has none of its own
 */
export function needsYou(
  { firstName }: Named,
  host: string | null,
  items: readonly { detail: string; subjectId: string }[],
): Mail {
  const count = items.length === 1 ? "One thing needs" : `${items.length} things need`;
  return {
    subject: `${count} you at Naturestrip`,
    parts: [
      greetingOf(firstName),
      `${count} your attention:`,
      { list: items.map(({ detail, subjectId }) => `${detail} (${subjectId})`) },
      host
        ? { link: `https://${host}/admin`, words: "Open the list" }
        : "You'll find the list on the first admin page.",
    ],
  };
}

const inOneBreath = new Intl.ListFormat("en-AU", { type: "conjunction" });
const dayFormat = new Intl.DateTimeFormat("en-AU", { timeZone: "UTC", day: "numeric", month: "long" });

type NamedCard = { brand: string; last4: string };

/**
 * Warns a provider that saved cards expire at the end of a month.
 * @param cards the cards that expire; at least one
 * @param about `month`: their last one, such as "2026-11"; `goesOn`: a saved card that pays after it, if there is one;
 *   `host`: the site's host, null if it has none of its own
 */
export function cardsRunOut(
  { firstName }: Named,
  cards: readonly NamedCard[],
  { month, goesOn, host }: { month: string; goesOn: NamedCard | null; host: string | null },
): Mail {
  const isOne = cards.length === 1;
  const names = inOneBreath.format(cards.map(formatCard));
  const [year, index] = month.split("-").map(Number) as [number, number];
  const last = dayFormat.format(Date.UTC(year, index, 0));
  const first = dayFormat.format(Date.UTC(year, index, 1));
  const others = isOne ? "that card" : "those cards";
  return {
    subject: `Your ${names} ${isOne ? "expires" : "expire"} this month`,
    parts: [
      greetingOf(firstName),
      `The ${names} you've kept for buying leads ${isOne ? "works" : "work"} until ${last}.`,
      goesOn
        ? `From ${first} you can't pay with ${others}. Your ${formatCard(goesOn)} still buys a lead with one tap.`
        : `From ${first} you'll need to type in a card to buy a lead.`,
      "Got a new card? Next time you buy a lead, choose “Another card”, type it in and tick “Keep this card”. You can see and remove your cards in Settings, under Cards.",
      ...(host ? [{ link: `https://${host}/settings?tab=cards`, words: "See your cards" }] : []),
      "Nothing else changes. Your account, leads and receipts stay as they are.",
    ],
  };
}

export function confirmAddress({ firstName }: Named, link: string): Mail {
  return {
    subject: "Confirm your email for Naturestrip",
    parts: [
      greetingOf(firstName),
      "Is this your email address? Confirm it for your Naturestrip account.",
      { link, words: "Confirm this address" },
      "The link works once, within 24 hours. If you didn't ask for it, there's nothing to do: the address isn't used unless you confirm it.",
    ],
  };
}

export function resetMessage({ firstName }: Named, link: string): Mail {
  return {
    subject: "Choose a new password for Naturestrip",
    parts: [
      greetingOf(firstName),
      "Someone (hopefully you) asked for a new password for your Naturestrip account.",
      { link, words: "Choose a new password" },
      "The link works once, within 24 hours. If it wasn't you, there's nothing to do: your password stays as it is.",
    ],
  };
}

/**
 * Tells a user that their address was entered for another account. It contains nothing from that request.
 * @param origin the site's origin, e.g. "https://naturestrip.example"
 */
export function addressInUse({ firstName }: Named, origin: string): Mail {
  return {
    subject: "You already have a Naturestrip account",
    parts: [
      greetingOf(firstName),
      "Someone, maybe you, tried to use this email address for another Naturestrip account. It already belongs to your account, and nothing about that has changed.",
      { link: `${origin}/login`, words: "Sign in to your account" },
      `Forgotten your password? Choose a new one: ${origin}/forgot-password`,
      "If it wasn't you, there's nothing to do.",
    ],
  };
}
