/** What people are told by email about their own account. Plain words, no link that asks for a password. */
import { greetingOf } from "../../contract/names.ts";
import type { UserRow } from "../auth/rules.ts";

/** A notice about something that happened to an account. */
export type Notice = { subject: string; text: string };

/** Whom to tell when it was not them: this deployment's phone and address. */
export type Contact = { contactPhone: string; contactEmail: string };

/**
 * A notice in full.
 * @param what what happened, as one sentence or two
 */
export function notice(
  user: Pick<UserRow, "firstName">,
  { contactPhone, contactEmail }: Contact,
  { subject, what }: { subject: string; what: string },
): Notice {
  const text = [
    greetingOf(user.firstName),
    what,
    `If that was you, or you know of it, there is nothing to do. If not, call us on ${contactPhone} or write to ${contactEmail} at once.`,
    "Naturestrip",
  ].join("\n\n");
  return { subject, text };
}

/** What an admin writes to a provider. */
export function fromUs(
  user: Pick<UserRow, "firstName">,
  { contactPhone, contactEmail }: Contact,
  words: string,
): Notice {
  const text = [
    greetingOf(user.firstName),
    words,
    `Questions? Call us on ${contactPhone} or write to ${contactEmail}.`,
    "Naturestrip",
  ].join("\n\n");
  return { subject: "A message from Naturestrip", text };
}

/**
 * Tells a super admin what needs a person. Ids and amounts only: nobody's name goes by email.
 * @param host where the site is; null where it has no host of its own
 */
export function needsYou(
  { firstName }: Pick<UserRow, "firstName">,
  host: string | null,
  items: readonly { detail: string; subjectId: string }[],
): Notice {
  const count = items.length === 1 ? "One thing needs" : `${items.length} things need`;
  const text = [
    greetingOf(firstName),
    `${count} a person to look at:`,
    items.map(({ detail, subjectId }) => `- ${detail} (${subjectId})`).join("\n"),
    host ? `The list: https://${host}/admin` : "The list is on the first of the admin pages.",
    "Naturestrip",
  ].join("\n\n");
  return { subject: `${count} you at Naturestrip`, text };
}

/** The email with which somebody shows that an address is theirs. */
export function confirmAddress({ firstName }: Pick<UserRow, "firstName">, link: string): Notice {
  const text = [
    greetingOf(firstName),
    "is this your email address? Confirm it for your Naturestrip account here:",
    link,
    "The link works once and for 24 hours. If you did not ask for it, there is nothing to do: without your yes this address opens nothing.",
    "Naturestrip",
  ].join("\n\n");
  return { subject: "Confirm your email for Naturestrip", text };
}

/** The email with which somebody who forgot their password sets a new one. */
export function resetMessage(user: Pick<UserRow, "firstName">, link: string) {
  return {
    subject: "Choose a new password for Naturestrip",
    text: [
      greetingOf(user.firstName),
      "somebody, we hope you, asked for a new password for your Naturestrip account. Choose one here:",
      link,
      "The link works once and for 24 hours. If it was not you, there is nothing to do: your password stays as it is.",
    ].join("\n\n"),
  };
}

/**
 * Somebody gave an address that is this person's already. Nothing in it is whoever's who asked.
 * @param origin where the site is, e.g. "https://naturestrip.example"
 */
export function addressInUse({ firstName }: Pick<UserRow, "firstName">, origin: string): Notice {
  const text = [
    greetingOf(firstName),
    "somebody, perhaps you, tried to use this email address for another Naturestrip account. It belongs to your account already, and nothing about that has changed.",
    `If it was you, sign in to the account you have: ${origin}/login`,
    `Forgotten your password? Choose a new one: ${origin}/forgot-password`,
    "If it was not you, there is nothing to do.",
    "Naturestrip",
  ].join("\n\n");
  return { subject: "You have a Naturestrip account already", text };
}

/**
 * Somebody else made a one-time link to this account.
 * @param maker who, in words: "our support", "the owner of your business"
 */
export function linkMade(maker: string) {
  return {
    subject: "A link to your Naturestrip account was made",
    what: `${maker} made a one-time link. Whoever opens it within 24 hours can choose a new password for your account. Until then your password stays as it is.`,
  };
}

export const passkeyAdded = {
  subject: "A passkey was added to your Naturestrip account",
  what: "A passkey was added to your account. From now on signing in takes a passkey as well as your password, or a passkey alone.",
};

export const passkeyRemoved = {
  subject: "A passkey was removed from your Naturestrip account",
  what: "A passkey was removed from your account. It opens nothing any more.",
};

export const recoveryCodesRenewed = {
  subject: "New recovery codes for your Naturestrip account",
  what: "New recovery codes were made for your account. The ones from before open nothing any more.",
};

export const recoveryCodeUsed = {
  subject: "A recovery code opened your Naturestrip account",
  what: "Somebody signed in to your account with your password and one of your recovery codes. That code is used up.",
};

export const emailChanged = {
  subject: "The email address of your Naturestrip account was changed",
  what: "The email address of your account was changed, and this one is its address no more. From now on we write to the new one.",
};

export const bankDetailsChanged = {
  subject: "The bank details of your Naturestrip account were changed",
  what: "The bank details of your account were changed or deleted.",
};
